//! Chains that are written out, as loops: what [`streams`](super::streams) takes out of the loop over threads.
//!
//! ```text
//! forall i < 256 { store out[i] = f(f(f(f(x[i], x[256 + i]), x[512 + i]), x[768 + i]), ..) }
//!
//! forall i < 256 { cell s = f(x[i], x[256 + i]) for k in 0..14 { s = f(s, x[512 + i + k * 256]) } store out[i] = s }
//! ```
//!
//! *Argument.* The row of a load is the number that its index has beyond the first, in units of the lanes. A node belongs to the
//! last row that is in it. Nodes of one row that those of the next row use are the *state*. Where the nodes that make the
//! state of a row out of that of the row before are the same for all rows, but for the rows that they load, they are the body of
//! a loop. Nodes are known by their operands, so to compare two rows is to build the one out of the other.
//!
//! *Limits.* The loop over threads names values and stores them, and loads nothing that it stores. There are [`ROWS`] rows at
//! least; a state is of the row before alone, and of [`BYTES`] at most for all lanes.

use crate::hashed::HashMap;

use super::lanes::{List, rewrite, spell_out};
use super::linear::{self, Lets};
use super::streams::{BYTES, FEWEST};
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement, Unroll};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, Role, ScalarType, Tables,
    VariableId, VariableKind,
};

/// Shorter chains stay as they are.
const ROWS: usize = 8;

/// Puts loops in the place of chains in the loops over threads.
pub(super) fn chains(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut List) {
    for statement in statements {
        if let Statement::Loop {
            kind: LevelledLoop::ForAll(Level::Warp | Level::Block | Level::Grid),
            counter,
            bounds: [count],
            body,
            ..
        } = statement
            && let Some(count) = tables.nodes.literal(*count).map(Literal::u32)
            && count >= FEWEST
            && let Some(rolled) = rolled(tables, (*counter, count), body)
        {
            *body = rolled;
        }
        for inner in statement.lists_mut() {
            list(tables, inner);
        }
    }
}

/// The body of a loop over threads with a loop for its chain; nothing if it has none.
fn rolled(tables: &mut Tables, lanes: (VariableId, u32), body: &List) -> Option<List> {
    let stores = stores(tables, body)?;
    let roots: Vec<NodeId> = stores.iter().flat_map(Statement::nodes).collect();
    let rows = Rows::of(tables, lanes, &roots)?;
    let states = rows.states(&tables.nodes, &roots)?;
    let bytes = |id: &NodeId| tables.nodes.ty(*id).bytes();
    let kept: u32 = states[1].iter().map(bytes).sum();
    if kept.saturating_mul(lanes.1) > BYTES {
        return None;
    }
    let last = rows.last(&mut tables.nodes, &states)?;
    let is_left = |id: &NodeId| rows.loads.contains_key(id);
    let left = tables.nodes.post_order(&roots, |id| last.contains(&id));
    if left.iter().any(is_left) {
        return None;
    }
    Some(as_loop(tables, lanes.1, (&rows, &states), &last, stores))
}

/// The stores of a body that does nothing else, with what its names stand for; it loads nothing that it stores.
fn stores(tables: &mut Tables, body: &List) -> Option<List> {
    let (mut stores, mut values) = (List::new(), Map::new());
    for mut statement in body.iter().cloned() {
        spell_out(&mut tables.nodes, &mut statement, &values);
        match statement {
            Statement::Let { variable, value } => {
                values.insert(variable, value);
            }
            Statement::Store { .. } => stores.push(statement),
            _ => return None,
        }
    }
    let written: Set<ArrayId> = stores.iter().flat_map(|s| s.writes()).collect();
    let roots: Vec<NodeId> = stores.iter().flat_map(Statement::nodes).collect();
    let parts = tables.nodes.post_order(&roots, |_| false).into_iter();
    let is_read =
        |id| matches!(tables.nodes.node(id), Node::Load { array, .. } if written.contains(&array));
    (!parts.into_iter().any(is_read)).then_some(stores)
}

/// An array, and the terms of an index: what the loads of all rows have in common.
type Place = (ArrayId, Vec<(NodeId, i64)>);

/// The rows of inputs that a loop over threads loads.
struct Rows {
    /// The row of each load.
    loads: HashMap<NodeId, usize>,
    /// The loads of each row, in the same order.
    of_row: Vec<Vec<NodeId>>,
}

impl Rows {
    fn of(tables: &Tables, (lane, count): (VariableId, u32), roots: &[NodeId]) -> Option<Self> {
        let nodes = &tables.nodes;
        let mut places: Map<Place, Map<i64, NodeId>> = Map::new();
        for id in nodes.post_order(roots, |_| false) {
            let Node::Load { array, index } = nodes.node(id) else {
                continue;
            };
            let sum = linear::of(nodes, &Lets::new(), index);
            let is_lane = |(id, factor): &(NodeId, i64)| {
                *factor == 1 && nodes.node(*id) == Node::Variable(lane)
            };
            let is_input = matches!(tables.array(array).place, ArrayPlace::Global(Role::Input));
            if is_input && sum.terms.iter().any(is_lane) {
                let place = places.entry((array, sum.terms)).or_default();
                place.insert(sum.constant, id);
            }
        }
        let all: Vec<Vec<NodeId>> = places
            .into_values()
            .filter(|rows| rows.len() >= ROWS)
            .map(|rows| in_order(&rows, count))
            .collect::<Option<_>>()?;
        let n = all.first()?.len();
        if all.iter().any(|rows| rows.len() != n) {
            return None;
        }
        let of_row: Vec<Vec<NodeId>> = (0..n)
            .map(|row| all.iter().map(|rows| rows[row]).collect())
            .collect();
        let numbered = of_row.iter().enumerate();
        let loads = numbered.flat_map(|(row, loads)| loads.iter().map(move |id| (*id, row)));
        Some(Rows {
            loads: loads.collect(),
            of_row,
        })
    }

    /// The state behind each row but for the last one: what the next row uses of it. It has as many values for all rows from the
    /// second one on.
    fn states(&self, nodes: &Nodes, roots: &[NodeId]) -> Option<Vec<Vec<NodeId>>> {
        let order = nodes.post_order(roots, |_| false);
        let mut row_of: HashMap<NodeId, usize> = HashMap::default();
        let mut used = Set::new();
        for id in &order {
            let operands = nodes.node(*id).operands();
            let operands: Vec<(NodeId, usize)> = operands
                .filter_map(|operand| Some((operand, *row_of.get(&operand)?)))
                .collect();
            let own = self.loads.get(id).copied();
            let Some(row) = own.or_else(|| operands.iter().map(|(_, row)| *row).max()) else {
                continue;
            };
            row_of.insert(*id, row);
            for (operand, before) in operands.into_iter().filter(|(_, before)| *before < row) {
                if before + 1 < row {
                    return None;
                }
                used.insert(operand);
            }
        }
        let mut states = vec![Vec::new(); self.of_row.len() - 1];
        for id in order.into_iter().filter(|id| used.contains(id)) {
            states[row_of[&id]].push(id);
        }
        let same = states[1..]
            .windows(2)
            .all(|two| two[0].len() == two[1].len());
        same.then_some(states)
    }

    /// The state behind the last row, if each row makes its state as the third one does.
    fn last(&self, nodes: &mut Nodes, states: &[Vec<NodeId>]) -> Option<Vec<NodeId>> {
        let mut state = states.get(2)?.clone();
        for row in 3..self.of_row.len() {
            let then = self.translated(nodes, &states[..3], &state, &self.of_row[row]);
            if states.get(row).is_some_and(|state| *state != then) {
                return None;
            }
            state = then;
        }
        Some(state)
    }

    /// What the third row makes of a state, of another state and other loads.
    fn translated(
        &self,
        nodes: &mut Nodes,
        states: &[Vec<NodeId>],
        before: &[NodeId],
        loads: &[NodeId],
    ) -> Vec<NodeId> {
        let of_states = states[1].iter().copied().zip(before.iter().copied());
        let of_loads = self.of_row[2].iter().copied().zip(loads.iter().copied());
        let known: HashMap<NodeId, NodeId> = of_states.chain(of_loads).collect();
        let each = states[2].iter();
        each.map(|id| nodes.replaced(*id, |_, id| known.get(&id).copied()))
            .collect()
    }
}

/// The loads by row, if the rows lie behind each other.
fn in_order(rows: &Map<i64, NodeId>, count: u32) -> Option<Vec<NodeId>> {
    let starts: Vec<i64> = rows.keys().copied().collect();
    let follows = |two: &[i64]| two[0].checked_add(i64::from(count)) == Some(two[1]);
    let all = starts.windows(2).all(follows);
    all.then(|| rows.values().copied().collect())
}

/// The first two rows, a loop over the others, and the stores.
fn as_loop(
    tables: &mut Tables,
    count: u32,
    (rows, states): (&Rows, &[Vec<NodeId>]),
    last: &[NodeId],
    mut stores: List,
) -> List {
    let fresh = |tables: &mut Tables, kind, of: &[NodeId]| -> Vec<VariableId> {
        let types: Vec<ScalarType> = of.iter().map(|id| tables.nodes.ty(*id)).collect();
        types
            .into_iter()
            .map(|ty| tables.add_variable(ty, kind))
            .collect()
    };
    let [cells, old, new, all] = [
        VariableKind::Cell,
        VariableKind::Let,
        VariableKind::Let,
        VariableKind::Let,
    ]
    .map(|kind| fresh(tables, kind, &states[1]));
    let named = |tables: &mut Tables, names: &[VariableId]| -> Vec<NodeId> {
        let types: Vec<ScalarType> = names.iter().map(|v| tables.variable(*v).ty).collect();
        let each = names.iter().zip(types);
        each.map(|(v, ty)| tables.nodes.add(Node::Variable(*v), ty))
            .collect()
    };
    let counter = tables.add_variable(ScalarType::U32, VariableKind::Counter);
    let round = tables.nodes.add(Node::Variable(counter), ScalarType::U32);
    let [rounds, width] =
        [(rows.of_row.len() - 2) as u32, count].map(|n| tables.nodes.add_literal(Literal::from(n)));
    let behind = tables.nodes.exact(BinaryOp::Mul, round, width);
    let third = rows.of_row[2].iter();
    let moved: Vec<NodeId> = third
        .map(|load| moved(&mut tables.nodes, *load, behind))
        .collect();
    let [before, made, folded] = [&old, &new, &all].map(|names| named(tables, names));
    let values = rows.translated(&mut tables.nodes, states, &before, &moved);
    let get = |names: &[VariableId]| -> List {
        let each = names.iter().zip(&cells);
        each.map(|(&variable, &cell)| Statement::Get { variable, cell })
            .collect()
    };
    let mut body = get(&old);
    let each = new.iter().zip(values);
    body.extend(each.map(|(&variable, value)| Statement::Let { variable, value }));
    let each = cells.iter().zip(made);
    body.extend(each.map(|(&cell, value)| Statement::Assign { cell, value }));
    let each = cells.iter().zip(&states[1]);
    let mut result: List = each
        .map(|(&cell, &value)| Statement::Declare { cell, value })
        .collect();
    result.push(Statement::Loop {
        kind: LevelledLoop::Sequential(Level::Thread),
        unroll: Unroll::Free,
        counter,
        bounds: [rounds],
        body,
    });
    result.extend(get(&all));
    let folded: HashMap<NodeId, NodeId> = last.iter().copied().zip(folded).collect();
    for store in &mut stores {
        rewrite(&mut tables.nodes, store, &|_, id| folded.get(&id).copied());
    }
    result.extend(stores);
    result
}

/// A load of an element that is further behind.
fn moved(nodes: &mut Nodes, load: NodeId, behind: NodeId) -> NodeId {
    nodes.rebuild(load, |nodes, index| {
        nodes.exact(BinaryOp::Add, index, behind)
    })
}

#[cfg(test)]
mod tests {
    use super::chains;
    use crate::ir::{Lowered, read, validate};

    /// The text with its chain as a loop; nothing if it stays.
    fn rolled(count: u32, body: &str) -> Option<String> {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 y: f32[n] input \
             parameter 3 out: f32[n] inout \
             distribute Block b < 4_u32 {{ forall Block i < {count}_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let before = kernel.to_string();
        let kernel = chains(kernel);
        validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
        let text = kernel.to_string();
        (text != before).then_some(text)
    }

    fn element(row: u32) -> String {
        format!("x[((b *' 4096_u32) +' (i +' {}_u32))]", row * 256)
    }

    /// A chain of `rows` rows.
    fn chain(rows: u32, f: impl Fn(String, String) -> String) -> String {
        (1..rows).fold(element(0), |sum, row| f(sum, element(row)))
    }

    fn sum(x: String, y: String) -> String {
        format!("({x} + {y})")
    }

    #[test]
    fn a_chain_is_a_loop() {
        for rows in [8, 16] {
            let text = rolled(256, &format!("store out[i] = {}", chain(rows, sum))).unwrap();
            let rounds = format!("0_u32 .. {}_u32", rows - 2);
            assert_eq!(text.matches(&rounds).count(), 1, "{text}");
            assert_eq!(text.matches("x[").count(), 3, "{text}");
        }
        // Two arrays, what is combined at last, and names.
        let product = |row| format!("({} * {})", element(row), element(row).replace("x[", "y["));
        let products = (1..16).fold(product(0), |sum, row| format!("({sum} + {})", product(row)));
        let named = format!("let s = {products} store out[i] = (1.0_f32 + s)");
        let text = rolled(256, &named).unwrap();
        assert_eq!(text.matches("1.0_f32 + ").count(), 1, "{text}");
    }

    #[test]
    fn a_chain_of_several_values_is_one_loop() {
        let max = |x: String, y: String| format!("max({x}, {y})");
        let both = format!(
            "store out[i] = {} store out[(i +' 256_u32)] = {}",
            chain(16, sum),
            chain(16, max)
        );
        let text = rolled(256, &both).unwrap();
        assert_eq!(text.matches("for sequential").count(), 1, "{text}");
        assert_eq!(text.matches("cell ").count(), 2, "{text}");
    }

    #[test]
    fn the_left_operand_stays_on_the_left() {
        let less = |x: String, y: String| format!("({x} - {y})");
        let text = rolled(256, &format!("store out[i] = {}", chain(8, less))).unwrap();
        let assigned = text
            .lines()
            .find(|line| line.contains(" - x[") && !line.contains("] - x["));
        assert!(assigned.is_some(), "{text}");
    }

    #[test]
    fn other_expressions_stay() {
        let stays = |count, body: &str| assert_eq!(rolled(count, body), None, "{body}");
        let store = |value: String| format!("store out[i] = {value}");
        stays(256, &store(chain(7, sum)));
        // Few lanes, and rows that do not lie behind each other.
        stays(32, &store(chain(16, sum)).replace("256", "32"));
        stays(128, &store(chain(16, sum)));
        // An element that is used again; one row that is combined in another way.
        stays(
            256,
            &store(format!("({} + {})", chain(16, sum), element(3))),
        );
        let odd = |x: String, y: String| match y.contains(" 1280_u32") {
            true => format!("({x} * {y})"),
            false => sum(x, y),
        };
        stays(256, &store(chain(16, odd)));
        // A tree, and what is stored where it is loaded.
        let tree = |row: u32| sum(element(row), element(row + 1));
        let trees: Vec<String> = (0..16).step_by(2).map(tree).collect();
        let all = trees
            .into_iter()
            .reduce(|x, y| format!("({y} + {x})"))
            .unwrap_or_default();
        stays(256, &store(all));
    }
}
