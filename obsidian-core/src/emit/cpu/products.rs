//! Sums of products of a tile's rows and columns, for all rows together.
//!
//! ```text
//! for row in 0..16 { forall column < 16 { store s[row, column] = s[row, column] + (a[row, 0] * b[0, column] + a[row, 1] * b[1, column] + ..) } }
//!
//! forall column < 16 {
//!     let t0 = a[0, 0] * b[0, column]        let t1 = a[1, 0] * b[0, column]        ..
//!     let u0 = t0 + a[0, 1] * b[1, column]   let u1 = t1 + a[1, 1] * b[1, column]   ..
//!     ..
//!     store s[0, column] = s[0, column] + z0   store s[1, column] = s[1, column] + z1   ..
//! }
//! ```
//!
//! Above, each addition waits for the one before, and a row of `b` is loaded anew for each row of `a`. Below, a row of
//! `b` is loaded once, and as many additions as there are rows do not wait for each other. With vectors of 64 bytes
//! all columns are one vector, and the sums of all rows stay in registers, of which there are 32: so only functions for
//! x86-64-v4 are printed so. With 16 registers of 32 bytes it takes longer than what stands above.
//!
//! *Argument.* Rows and columns are the iterations of one loop over threads, which do not depend on each other, so
//! their statements may be done in turns. Each sum is computed by the same operators in the same order.
//!
//! *Limits.* [`COLUMNS`] columns and at most [`MOST_ROWS`] rows of `f32`; in the loop only names, reads, and one
//! store of a sum to which at least [`FEWEST`] products are added, whose factors depend on the row or the column but not on both; no
//! kernel that vouches for an index, because accesses are counted in the order of the text. Fewer rows than all at a
//! time were tried: the compiler then does not see that the rows it reads and stores lie apart, and takes up to 1.8
//! times as long.

use super::lanes::{List, by_name, spell_out, used_in};
use super::rows;
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Tables, UnaryOp, VariableId,
    VariableKind,
};

/// The elements of a vector of 64 bytes.
const COLUMNS: u32 = 16;
/// Half of the registers: the others hold what is loaded.
const MOST_ROWS: u32 = 16;
/// The fewest products that are added to a sum.
const FEWEST: usize = 8;
/// The most names of the text that comes out.
const MOST_NAMES: usize = 512;
/// The most nodes of a sum.
const MOST_NODES: usize = 512;

/// Does all rows of sums of products together; gives the arrays too whose elements are factors of whole rows. The
/// compiler must leave these in memory: there are more of them than registers, and an instruction can load one into
/// all elements of a vector.
pub(super) fn products(kernel: &Kernel<Lowered>) -> (Kernel<Lowered>, Set<ArrayId>) {
    let mut kernel = kernel.clone();
    let nodes = &kernel.tables.nodes;
    let vouches = |id| {
        matches!(
            nodes.node(id),
            Node::Unary {
                op: UnaryOp::Trust,
                ..
            }
        )
    };
    let mut factors = Set::new();
    if !nodes.ids().any(vouches) {
        let mut body = std::mem::take(&mut kernel.body);
        list(&mut kernel.tables, &mut body, &mut factors);
        kernel.body = body;
    }
    (kernel, factors)
}

fn list(tables: &mut Tables, statements: &mut List, factors: &mut Set<ArrayId>) {
    for statement in statements {
        for inner in statement.lists_mut() {
            list(tables, inner, factors);
        }
        if !may_be_tile(tables, statement) {
            continue;
        }
        // What it leaves in the tables if the loop stays, nothing uses.
        let mut split = statement.clone();
        rows::split(tables, &mut split);
        if let Some((together, of_rows)) = together(tables, split) {
            *statement = together;
            factors.extend(of_rows);
        }
    }
}

/// Is it a loop over the threads of a tile, which ends with a store of a sum? The rest is looked at in a copy.
fn may_be_tile(tables: &Tables, statement: &Statement<Lowered>) -> bool {
    let Statement::Loop {
        kind: LevelledLoop::ForAll(Level::Warp | Level::Block),
        bounds: [count],
        body,
        ..
    } = statement
    else {
        return false;
    };
    let nodes = &tables.nodes;
    let rows = nodes.literal(*count).map_or(0, Literal::u32);
    let is_sum = |value: NodeId| {
        let is_operator = matches!(nodes.node(value), Node::Binary { .. } | Node::MulAdd { .. });
        nodes.ty(value) == ScalarType::F32 && is_operator
    };
    let stores_sum = matches!(body.last(), Some(Statement::Store { value, .. }) if is_sum(*value));
    rows.is_multiple_of(COLUMNS)
        && (2..=MOST_ROWS).contains(&(rows / COLUMNS))
        && body.len() <= MOST_NAMES
        && stores_sum
}

/// The loop over columns that a loop over rows becomes, and the arrays of the factors of whole rows; nothing if it
/// stays.
fn together(
    tables: &mut Tables,
    split: Statement<Lowered>,
) -> Option<(Statement<Lowered>, Set<ArrayId>)> {
    let Statement::Loop {
        counter: row,
        bounds: [rows],
        body: mut of_row,
        ..
    } = split
    else {
        return None;
    };
    let rows = tables.nodes.literal(rows)?.u32();
    let Statement::Loop {
        kind: kind @ LevelledLoop::ForAll(_),
        counter: column,
        bounds,
        unroll,
        body,
    } = of_row.pop()?
    else {
        return None;
    };
    let is_vector = tables.nodes.literal(bounds[0])?.u32() == COLUMNS;
    if !is_vector || !(2..=MOST_ROWS).contains(&rows) {
        return None;
    }
    of_row.extend(body);
    let body = without_names(&mut tables.nodes, of_row)?;
    let terms = terms(&tables.nodes, &body, (row, column))?;
    let factors = of_rows(&tables.nodes, &terms, column);
    if terms.len().saturating_mul(rows as usize) > MOST_NAMES {
        return None;
    }
    let rows: Vec<List> = (0..rows)
        .map(|n| of_one_row(tables, &body, &terms, (row, n)))
        .collect();
    let length = rows.first().map_or(0, List::len);
    let body = (0..length).flat_map(|n| rows.iter().map(move |row| row[n].clone()));
    let body = body.collect();
    let together = Statement::Loop {
        kind,
        counter: column,
        bounds,
        unroll,
        body,
    };
    Some((together, factors))
}

/// The arrays of factors that are the same in all columns.
fn of_rows(nodes: &Nodes, sums: &[NodeId], column: VariableId) -> Set<ArrayId> {
    let factors = sums.iter().filter_map(|sum| product(nodes, *sum));
    let factors = factors.flat_map(|(left, right)| [left, right]);
    let factors: Vec<NodeId> = factors
        .filter(|factor| !used_in(nodes, *factor).contains(&column))
        .collect();
    let parts = nodes.post_order(&factors, |_| false).into_iter();
    let arrays = parts.filter_map(|id| nodes.node(id).loaded());
    arrays.collect()
}

/// The list with what its names stand for in their place. Nothing if it has more than names, reads and one store,
/// which is the last.
fn without_names(nodes: &mut Nodes, list: List) -> Option<List> {
    let last = list.len().checked_sub(1)?;
    let is_part = |(n, statement): (usize, &Statement<Lowered>)| match statement {
        Statement::Let { .. } | Statement::Read { .. } => n < last,
        Statement::Store { .. } => n == last,
        _ => false,
    };
    if !list.iter().enumerate().all(is_part) {
        return None;
    }
    let (mut result, mut values) = (List::new(), Map::new());
    for mut statement in list {
        spell_out(nodes, &mut statement, &values);
        match statement {
            Statement::Let { variable, value } => drop(values.insert(variable, value)),
            statement => result.push(statement),
        }
    }
    Some(result)
}

/// The partial sums of the value that a list stores, the innermost first. Nothing if it is no sum of products
/// that rows and columns share.
fn terms(
    nodes: &Nodes,
    list: &[Statement<Lowered>],
    (row, column): (VariableId, VariableId),
) -> Option<Vec<NodeId>> {
    let Some(Statement::Store { value, .. }) = list.last() else {
        return None;
    };
    if nodes.post_order(&[*value], |_| false).len() > MOST_NODES {
        return None;
    }
    let mut sums = Vec::new();
    let mut next = Some(*value);
    while let Some(sum) = next {
        sums.push(sum);
        next = partial(nodes, sum);
    }
    sums.reverse();
    let read: Set<VariableId> = list.iter().filter_map(Statement::binds).collect();
    let depends = |factor: NodeId| {
        let used = used_in(nodes, factor);
        let is_of = |variable| used.contains(&variable);
        (is_of(row), is_of(column) || !used.is_disjoint(&read))
    };
    let is_shared = |sum: &&NodeId| {
        product(nodes, **sum).is_some_and(|(left, right)| {
            [depends(left), depends(right)]
                .iter()
                .all(|of| *of != (true, true))
        })
    };
    (sums.iter().filter(is_shared).count() >= FEWEST).then_some(sums)
}

/// The partial sum that a sum adds something to: the operand that is itself a sum.
fn partial(nodes: &Nodes, sum: NodeId) -> Option<NodeId> {
    let is_sum = |id: &NodeId| {
        let is_sum = match nodes.node(*id) {
            Node::Binary { op, .. } => matches!(op, BinaryOp::Add | BinaryOp::Mul),
            node => matches!(node, Node::MulAdd { .. }),
        };
        is_sum && nodes.ty(*id) == ScalarType::F32
    };
    match nodes.node(sum) {
        Node::MulAdd { addend, .. } => Some(addend).filter(is_sum),
        Node::Binary {
            op: BinaryOp::Add,
            left,
            right,
            ..
        } if nodes.ty(sum) == ScalarType::F32 => match (is_sum(&left), is_sum(&right)) {
            (true, _) => Some(left),
            (false, true) => Some(right),
            (false, false) => None,
        },
        _ => None,
    }
}

/// The factors of what a sum adds last.
fn product(nodes: &Nodes, sum: NodeId) -> Option<(NodeId, NodeId)> {
    match nodes.node(sum) {
        Node::MulAdd { left, right, .. } => Some((left, right)),
        Node::Binary {
            op: BinaryOp::Add,
            left,
            right,
            ..
        } => [right, left]
            .into_iter()
            .find_map(|term| match nodes.node(term) {
                Node::Binary {
                    op: BinaryOp::Mul,
                    left,
                    right,
                    ..
                } => Some((left, right)),
                _ => None,
            }),
        _ => None,
    }
}

/// The statements of one row, with names of their own for what is read and for partial sums.
fn of_one_row(
    tables: &mut Tables,
    list: &[Statement<Lowered>],
    sums: &[NodeId],
    (row, n): (VariableId, u32),
) -> List {
    let number = tables.nodes.add_literal(Literal::from(n));
    let mut by = Map::from([(row, number)]);
    let mut result = List::new();
    for statement in list {
        let mut statement = statement.clone();
        if let Statement::Store { value, .. } = &mut statement {
            *value = summed(tables, sums, &by, &mut result);
        }
        let roots: Vec<NodeId> = statement.nodes().to_vec();
        let roots = roots
            .iter()
            .map(|root| replaced(&mut tables.nodes, *root, &by));
        let roots: Vec<NodeId> = roots.collect();
        for (root, new) in statement.nodes_mut().into_iter().zip(roots) {
            *root = new;
        }
        if let Statement::Read { variable, .. } = &mut statement {
            let own = tables.add_variable(tables.variable(*variable).ty, VariableKind::Let);
            let name = tables
                .nodes
                .add(Node::Variable(own), tables.variable(own).ty);
            by.insert(std::mem::replace(variable, own), name);
        }
        result.push(statement);
    }
    result
}

/// Names the partial sums, and gives the last one.
fn summed(
    tables: &mut Tables,
    sums: &[NodeId],
    by: &Map<VariableId, NodeId>,
    result: &mut List,
) -> NodeId {
    let mut known: Option<(NodeId, NodeId)> = None;
    for &sum in sums {
        let value = tables.nodes.replaced(sum, |nodes, id| match known {
            Some((partial, name)) if id == partial => Some(name),
            _ => by_name(nodes, id, by),
        });
        let variable = tables.add_variable(ScalarType::F32, VariableKind::Let);
        result.push(Statement::Let { variable, value });
        let name = tables.nodes.add(Node::Variable(variable), ScalarType::F32);
        known = Some((sum, name));
    }
    known.map_or_else(
        || tables.nodes.add(Node::Poison, ScalarType::F32),
        |(_, name)| name,
    )
}

fn replaced(nodes: &mut Nodes, root: NodeId, by: &Map<VariableId, NodeId>) -> NodeId {
    nodes.replaced(root, |nodes, id| by_name(nodes, id, by))
}

#[cfg(test)]
mod tests {
    use super::products;
    use crate::ir::{Lowered, read, validate};

    /// The kernel of a loop over threads with its products together, and how many arrays have factors of rows.
    fn together(count: u32, body: &str) -> Option<(String, usize)> {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 y: f32[n] input \
             parameter 3 out: f32[n] inout \
             distribute Block b < 4_u32 {{ forall Block i < {count}_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (together, factors) = products(&kernel);
        validate(&together).unwrap_or_else(|v| panic!("{v}\n{together}"));
        (together.body != kernel.body).then(|| (together.to_string(), factors.len()))
    }

    /// A sum of products of a row of `width` elements of `x` and a column of `y`, stored.
    fn tile(width: u32, terms: u32, product: fn(&str, &str, &str) -> String) -> String {
        let factors = |k: u32| {
            let x = format!("x[(((i / {width}_u32) *' 16_u32) +' {k}_u32)]");
            (x, format!("y[((i % {width}_u32) +' {}_u32)]", k * width))
        };
        let sum = (0..terms).fold("0.5_f32".to_owned(), |sum, k| {
            let (x, y) = factors(k);
            product(&sum, &x, &y)
        });
        format!("read s = out[i] store out[i] = (s + {sum})")
    }

    const ADDED: fn(&str, &str, &str) -> String = |sum, x, y| format!("({sum} + ({x} * {y}))");
    const ROUNDED_ONCE: fn(&str, &str, &str) -> String =
        |sum, x, y| format!("mul_add({x}, {y}, {sum})");

    #[test]
    fn rows_take_turns() {
        for product in [ADDED, ROUNDED_ONCE] {
            let (text, factors) = together(64, &tile(16, 8, product)).unwrap();
            assert_eq!((text.matches("store").count(), factors), (4, 1), "{text}");
            assert!(text.contains(" < 16_u32 {"), "{text}");
            // Each row has a name for each of its products, and the rows take turns.
            let lets = text
                .lines()
                .filter(|line| line.contains("let ") && line.contains("x["));
            let lets: Vec<&str> = lets.collect();
            assert_eq!(lets.len(), 4 * 8, "{text}");
            for (n, line) in lets.iter().enumerate() {
                let of_row = format!("x[{}_u32]", n % 4 * 16 + n / 4);
                assert!(line.contains(&of_row), "{line}");
            }
        }
    }

    #[test]
    fn other_sums_stay() {
        let usual = tile(16, 8, ADDED);
        assert!(together(256, &usual).is_some());
        // Too many rows, rows of other lengths, one row, few products.
        assert!(together(512, &usual).is_none());
        assert!(together(256, &tile(32, 8, ADDED)).is_none());
        assert!(together(16, &usual).is_none());
        assert!(together(256, &tile(16, 7, ADDED)).is_none());
        // Products of a row's own, of other types, and no products.
        let own = usual.replace("x[(((i / 16_u32) *' 16_u32)", "x[(i");
        assert!(together(256, &own).is_none());
        assert!(
            together(
                256,
                &tile(16, 8, |sum, x, y| format!("({sum} + ({x} - {y}))"))
            )
            .is_none()
        );
        // A store before, a condition, an atomic operation, and an index that the user vouches for.
        assert!(together(256, &format!("store out[i] = 1.0_f32 {usual}")).is_none());
        assert!(together(256, &format!("if (n < 3_u32) {{ {usual} }}")).is_none());
        assert!(together(256, &format!("atomic add out[0_u32] (1.0_f32) {usual}")).is_none());
        let vouched = usual.replace("out[i] =", "out[unchecked(i)] =");
        assert!(together(256, &vouched).is_none());
    }
}
