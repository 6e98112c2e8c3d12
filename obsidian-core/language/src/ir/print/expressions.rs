//! Expressions as text, cut where they would be too large or too deep.
//!
//! Nodes form a graph; written out as a tree it can be exponentially larger. Where a statement's
//! trees together have more than [`INLINE`] nodes, nodes that are used more than once, and every
//! [`DEEP`]th level, get a label.

use super::Names;
use crate::ordered::Map;
use crate::scalar::{BinaryOp, Node, NodeId, Tables, UnaryOp};

/// The largest number of nodes that is written out as trees.
const INLINE: u32 = 300;

/// The number of levels after which a tree is cut.
const DEEP: u32 = 40;

pub(super) struct Expressions<'a> {
    tables: &'a Tables,
    names: &'a Names,
    labels: Map<NodeId, usize>,
    /// Size and depth as a tree, by node.
    trees: Vec<(u32, u32)>,
}

impl<'a> Expressions<'a> {
    pub(super) fn new(tables: &'a Tables, names: &'a Names) -> Self {
        let mut trees: Vec<(u32, u32)> = Vec::new();
        for id in tables.nodes.ids() {
            let mut tree = (1u32, 1u32);
            for operand in tables.nodes.node(id).operands() {
                let (size, depth) = trees.get(operand.index()).copied().unwrap_or((1, 1));
                tree = (
                    tree.0.saturating_add(size),
                    tree.1.max(depth.saturating_add(1)),
                );
            }
            trees.push(tree);
        }
        Expressions {
            tables,
            names,
            labels: Map::new(),
            trees,
        }
    }

    /// Gives labels to parts of these expressions where that is needed; the labels with their text,
    /// in order.
    pub(super) fn cut(&mut self, roots: &[NodeId]) -> Vec<(usize, String)> {
        let tree = |n: &NodeId| self.trees.get(n.index()).copied().unwrap_or((1, 1));
        let size = roots
            .iter()
            .fold(0u32, |sum, n| sum.saturating_add(tree(n).0));
        if size <= INLINE && roots.iter().all(|n| tree(n).1 <= DEEP) {
            return Vec::new();
        }
        let nodes = &self.tables.nodes;
        let order = nodes.post_order(roots, |n| self.labels.contains_key(&n));
        let mut uses: Map<NodeId, u32> = Map::new();
        let operands = order.iter().flat_map(|&n| nodes.node(n).operands());
        operands
            .chain(roots.iter().copied())
            .for_each(|n| *uses.entry(n).or_default() += 1);
        let mut depths: Map<NodeId, u32> = Map::new();
        let mut cut = Vec::new();
        for n in order {
            let node = nodes.node(n);
            let depth = 1 + node
                .operands()
                .filter_map(|o| depths.get(&o))
                .max()
                .copied()
                .unwrap_or(0);
            if !node.is_leaf() && (uses.get(&n).copied().unwrap_or(0) > 1 || depth >= DEEP) {
                cut.push((self.labels.len(), self.show(n)));
                self.labels.insert(n, self.labels.len());
                depths.insert(n, 1);
            } else {
                depths.insert(n, depth);
            }
        }
        cut
    }

    /// The text of an expression.
    pub(super) fn show(&self, id: NodeId) -> String {
        if let Some(label) = self.labels.get(&id) {
            return format!("${label}");
        }
        let nodes = &self.tables.nodes;
        let call = |name: &str, list: &[NodeId]| {
            let list = list
                .iter()
                .map(|&n| self.show(n))
                .collect::<Vec<_>>()
                .join(", ");
            format!("{name}({list})")
        };
        match nodes.node(id) {
            Node::Literal(literal) => format!("{literal:?}"),
            Node::Variable(variable) => self.names.variable(variable),
            Node::Length(array) => format!("length({})", self.names.array(array)),
            Node::Special(special) => format!("{special:?}"),
            Node::Load { array, index } => {
                format!("{}[{}]", self.names.array(array), self.show(index))
            }
            Node::Unary {
                op: op @ (UnaryOp::Neg | UnaryOp::Not),
                value,
            } => format!("({} {})", op.name(), self.show(value)),
            Node::Unary { op, value } => call(op.name(), &[value]),
            Node::Binary {
                op,
                exact,
                left,
                right,
            } => {
                let mark = if exact { "'" } else { "" };
                match is_word(op) {
                    true => call(&format!("{}{mark}", op.name()), &[left, right]),
                    false => format!(
                        "({} {}{mark} {})",
                        self.show(left),
                        op.name(),
                        self.show(right)
                    ),
                }
            }
            Node::MulAdd {
                left,
                right,
                addend,
            } => call("mul_add", &[left, right, addend]),
            Node::Select {
                condition,
                then,
                otherwise,
            } => call("select", &[condition, then, otherwise]),
            Node::Cast { value } => call(nodes.ty(id).name(), &[value]),
            Node::Poison => format!("poison_{}", nodes.ty(id).name()),
        }
    }
}

fn is_word(op: BinaryOp) -> bool {
    op.name().starts_with(|c: char| c.is_ascii_alphabetic())
}
