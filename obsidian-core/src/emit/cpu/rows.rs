//! Rows and columns: a loop whose counter is used as `i / 32` and `i % 32` becomes two loops.
//!
//! ```text
//! forall i < 1024 { s[i % 32 * 33 + i / 32] = x[(b * 32 + i / 32) * w + i % 32] }
//! for row in 0..32 { forall column < 32 { s[column * 33 + row] = x[(b * 32 + row) * w + column] } }
//! ```
//!
//! In the inner loop an index is a start and a multiple of the counter, so there are windows for it, and
//! nothing is divided.
//!
//! *Argument.* The width divides the number of rounds, so `row * width + column` is each number below
//! it once, in the same order; its quotient by the width is `row`, and its remainder is `column`.
//!
//! *Limits.* Numbers of rounds and widths are literals. Of several widths the one that is used most is
//! taken; the counter itself, and other quotients of it, are computed from both.

use crate::ir::{Kernel, LevelledLoop, Lowered, Statement, Unroll};
use crate::ordered::Map;
use crate::scalar::{
    BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Tables, VariableId, VariableKind,
};

/// Narrower rows are not worth a loop of their own.
const NARROWEST: u32 = 4;

/// Splits loops over threads into rows and columns.
pub(super) fn rows(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut [Statement<Lowered>]) {
    for statement in statements {
        for inner in statement.lists_mut() {
            list(tables, inner);
        }
        split(tables, statement);
    }
}

/// Splits a loop over threads into rows and columns; one whose counter is not taken apart stays.
pub(super) fn split(tables: &mut Tables, statement: &mut Statement<Lowered>) {
    let Statement::Loop {
        kind: LevelledLoop::ForAll(level),
        counter,
        bounds: [count],
        unroll,
        body,
    } = statement
    else {
        return;
    };
    let (level, counter, unroll) = (*level, *counter, *unroll);
    let Some(count) = tables.nodes.literal(*count).map(Literal::u32) else {
        return;
    };
    let Some(width) = width(&tables.nodes, counter, count, body) else {
        return;
    };
    let kinds = [
        VariableKind::Counter,
        VariableKind::Counter,
        VariableKind::Let,
    ];
    let [row, column, whole] = kinds.map(|kind| tables.add_variable(ScalarType::U32, kind));
    let nodes = &mut tables.nodes;
    let [rows, columns] = [count / width, width].map(|n| nodes.add_literal(Literal::from(n)));
    let mut body = std::mem::take(body);
    let mut inside = Rows {
        counter,
        width,
        row: name(nodes, row),
        column: name(nodes, column),
        names: Map::from([(counter, name(nodes, whole))]),
        nodes,
    };
    inside.list(&mut body);
    let value = inside.counted();
    let mut is_used = false;
    each_node(nodes, &body, |id| {
        is_used |= nodes.node(id) == Node::Variable(whole)
    });
    if is_used {
        let variable = whole;
        body.insert(0, Statement::Let { variable, value });
    }
    let mut of_row = of_row(nodes, column, &mut body);
    let inner = Statement::Loop {
        kind: LevelledLoop::ForAll(level),
        counter: column,
        bounds: [columns],
        unroll,
        body,
    };
    of_row.push(inner);
    *statement = Statement::Loop {
        kind: LevelledLoop::Sequential(level),
        counter: row,
        bounds: [rows],
        unroll: Unroll::Never,
        body: of_row,
    };
}

/// Takes what is the same in a whole row out of the loop over columns.
fn of_row(
    nodes: &Nodes,
    column: VariableId,
    body: &mut Vec<Statement<Lowered>>,
) -> Vec<Statement<Lowered>> {
    // How many statements bind a variable: one that may be either stays where it is.
    let mut inside = Map::from([(column, 2)]);
    for statement in &*body {
        statement.visit(&mut |inner| {
            let bound = inner.binds().into_iter();
            bound.for_each(|variable| *inside.entry(variable).or_insert(0) += 1);
        });
    }
    let is_of_column = |inside: &Map<VariableId, u32>, id: NodeId| {
        let node = nodes.node(id);
        node.is_load()
            || node
                .variable()
                .is_some_and(|variable| inside.contains_key(&variable))
    };
    let (mut of_row, mut rest) = (Vec::new(), Vec::new());
    for statement in std::mem::take(body) {
        match statement {
            Statement::Let { variable, value }
                if inside[&variable] == 1
                    && !nodes
                        .post_order(&[value], |_| false)
                        .into_iter()
                        .any(|id| is_of_column(&inside, id)) =>
            {
                inside.remove(&variable);
                of_row.push(Statement::Let { variable, value });
            }
            statement => rest.push(statement),
        }
    }
    *body = rest;
    of_row
}

/// The width of the rows that a counter is taken apart into; nothing if it is not, or does not fill them.
fn width(
    nodes: &Nodes,
    counter: VariableId,
    count: u32,
    body: &[Statement<Lowered>],
) -> Option<u32> {
    let mut uses: Map<u32, u32> = Map::new();
    each_node(nodes, body, |id| {
        if let Some((_, width)) = part(nodes, counter, id) {
            *uses.entry(width).or_default() += 1;
        }
    });
    let fills = |width: u32| width >= NARROWEST && width < count && count.is_multiple_of(width);
    let widths = uses.into_iter().filter(|(width, _)| fills(*width));
    let most = widths.max_by_key(|(width, uses)| (*uses, *width));
    most.map(|(width, _)| width)
}

/// The quotient or remainder of a counter that a node is, and by what.
fn part(nodes: &Nodes, counter: VariableId, id: NodeId) -> Option<(BinaryOp, u32)> {
    let Node::Binary {
        op: op @ (BinaryOp::Div | BinaryOp::Rem),
        left,
        right,
        ..
    } = nodes.node(id)
    else {
        return None;
    };
    let by = nodes.literal(right)?.u32();
    (nodes.node(left) == Node::Variable(counter)).then_some((op, by))
}

/// Calls `f` on the nodes of the statements.
fn each_node(nodes: &Nodes, body: &[Statement<Lowered>], mut f: impl FnMut(NodeId)) {
    for statement in body {
        statement.visit(&mut |inner| {
            let found = nodes.post_order(&inner.nodes(), |_| false);
            found.into_iter().for_each(&mut f);
        });
    }
}

/// A loop over rows in the making.
struct Rows<'n> {
    nodes: &'n mut Nodes,
    counter: VariableId,
    width: u32,
    row: NodeId,
    column: NodeId,
    /// What names stand for: the counter, the row and the column.
    names: Map<VariableId, NodeId>,
}

impl Rows<'_> {
    /// Puts the row and the column in the place of quotients and remainders, and of names for these.
    fn list(&mut self, list: &mut Vec<Statement<Lowered>>) {
        list.retain_mut(|statement| {
            // The condition of a `while` may use what its head names.
            if let Statement::While { head, .. } = statement {
                self.list(head);
            }
            for root in statement.nodes_mut() {
                *root = self.expression(*root);
            }
            if let Some(variable) = statement.binds() {
                self.names.remove(&variable);
            }
            if let Statement::Let { variable, value } = statement
                && (*value == self.row || *value == self.column)
            {
                self.names.insert(*variable, *value);
                return false;
            }
            for inner in statement.lists_mut() {
                self.list(inner);
            }
            true
        });
    }

    fn expression(&mut self, root: NodeId) -> NodeId {
        let (counter, width, names) = (self.counter, self.width, &self.names);
        let (row, column) = (self.row, self.column);
        self.nodes.replaced(root, |nodes, id| match nodes.node(id) {
            Node::Variable(variable) => names.get(&variable).copied(),
            _ => match part(nodes, counter, id)? {
                (BinaryOp::Div, by) if by == width => Some(row),
                (BinaryOp::Rem, by) if by == width => Some(column),
                _ => None,
            },
        })
    }

    /// The counter, by row and column.
    fn counted(&mut self) -> NodeId {
        let width = self.nodes.add_literal(Literal::from(self.width));
        let start = self.nodes.exact(BinaryOp::Mul, self.row, width);
        self.nodes.exact(BinaryOp::Add, start, self.column)
    }
}

fn name(nodes: &mut Nodes, variable: VariableId) -> NodeId {
    nodes.add(Node::Variable(variable), ScalarType::U32)
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::ir::{Lowered, read};

    /// What a loop over threads becomes.
    fn split(count: u32, body: &str) -> String {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] inout \
             distribute Block b < 4_u32 {{ forall Block i < {count}_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let kernel = rows(kernel);
        crate::ir::validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
        let text = kernel.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines
            .join("\n")
            .split_once("{\nfor")
            .map_or(text, |(_, inside)| format!("for{inside}"))
    }

    #[test]
    fn a_counter_that_is_divided_becomes_a_row_and_a_column() {
        let body = "store out[(i % 32_u32)] = x[((i / 32_u32) +' (n *' (i % 32_u32)))]";
        assert_eq!(
            split(1024, body),
            "for sequential Block v0 in 0_u32 .. 32_u32 step 1_u32 rolled {\n\
             forall Block v1 < 32_u32 {\n\
             store out[v1] = x[(v0 +' (n *' v1))]\n}\n}\n}\n}"
        );
        // So do names for them.
        let body = "let r = (i / 32_u32) let c = (i % 32_u32) store out[c] = x[(r +' (n *' c))]";
        let named = split(1024, body);
        assert_eq!(named.matches("let").count(), 0, "{named}");
        assert!(
            named.contains("store out[v1] = x[(v0 +' (n *' v1))]"),
            "{named}"
        );
        // What else the counter is used for is computed from both; the width is that of most uses.
        let body = "store out[i] = (((i / 8_u32) + (i % 8_u32)) + (i / 16_u32))";
        assert_eq!(
            split(64, body),
            "for sequential Block v0 in 0_u32 .. 8_u32 step 1_u32 rolled {\n\
             forall Block v1 < 8_u32 {\n\
             let v2 = ((v0 *' 8_u32) +' v1)\n\
             store out[v2] = ((v0 + v1) + (v2 / 16_u32))\n}\n}\n}\n}"
        );
    }

    #[test]
    fn a_condition_knows_what_its_head_names() {
        let body = "cell s = 0_u32
            while { let r = (i / 8_u32) let c = (i % 8_u32) get v = s } holds ((v +' r) < (c + n))
            { assign s = ((v + 1_u32) + c) }
            get last = s store out[(i % 8_u32)] = last";
        let rows = split(64, body);
        assert!(!rows.contains("let r") && !rows.contains("let c"), "{rows}");
    }

    #[test]
    fn what_is_the_same_in_a_row_is_computed_once_for_it() {
        let body = "let y = (b + (i / 8_u32)) let z = (y * n) let c = (z + (i % 8_u32)) store out[c] = x[z]";
        assert_eq!(
            split(64, body),
            "for sequential Block v0 in 0_u32 .. 8_u32 step 1_u32 rolled {\n\
             let y = (b + v0)\n\
             let z = (y * n)\n\
             forall Block v1 < 8_u32 {\n\
             let c = (z + v1)\n\
             store out[c] = x[z]\n}\n}\n}\n}"
        );
    }

    #[test]
    fn rows_that_are_not_full_stay_one_loop() {
        let body = |width: &str| format!("store out[(i % {width})] = x[(i / {width})]");
        for (count, width) in [
            (1000, "32_u32"),
            (32, "32_u32"),
            (16, "32_u32"),
            (32, "2_u32"),
            (32, "0_u32"),
            (32, "n"),
        ] {
            let text = split(count, &body(width));
            assert!(!text.contains("for sequential"), "{text}");
        }
        assert!(!split(64, "store out[i] = ((i + 1_u32) / 8_u32)").contains("for sequential"));
    }
}
