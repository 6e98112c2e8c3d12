//! Indices of held arrays: whose elements they are, and what they are made of.

use super::{Inner, Lanes, Pass};
use crate::ir::{Layout, WARP};
use crate::ordered::{Map, Set};
use crate::scalar::{BinaryOp, Literal, Node, NodeId, VariableId};

impl Pass<'_> {
    /// An index by what is bound outside of the condition; none if it depends on more.
    pub(super) fn outside(&mut self, index: NodeId, inner: Option<&Inner>) -> Option<NodeId> {
        let Some(inner) = inner else {
            return Some(index);
        };
        let nodes = &mut self.tables.nodes;
        let mut index = index;
        // Each step puts in what is bound further outside.
        for _ in 0..=inner.len() {
            let all = nodes.post_order(&[index], |_| false);
            let unknown = all.into_iter().find_map(|id| match nodes.node(id) {
                Node::Variable(variable) => Some((id, *inner.get(&variable)?)),
                _ => None,
            });
            let Some((id, value)) = unknown else {
                return Some(index);
            };
            let value = value?;
            index = nodes.replaced(index, |_, other| (other == id).then_some(value));
        }
        None
    }

    /// The nodes that an expression evaluates whatever its conditions say.
    pub(super) fn always(&self, root: NodeId) -> Set<NodeId> {
        let nodes = &self.tables.nodes;
        let (mut stack, mut found) = (vec![root], Set::new());
        while let Some(id) = stack.pop() {
            if found.insert(id) {
                stack.extend(nodes.node(id).surely_evaluated());
            }
        }
        found
    }

    /// An index that every lane can compute, those among them that do not want the element: its arithmetic may
    /// leave its range there. An index that is loaded has to be one that each iteration loads (`is_always`).
    pub(super) fn for_all_lanes(
        &mut self,
        of: &Lanes,
        index: NodeId,
        is_always: bool,
    ) -> Option<NodeId> {
        if self.loads(index) {
            let index = is_always.then_some(index)?;
            return Some(match of.guard {
                Some(condition) => self.or_zero(condition, index),
                None => index,
            });
        }
        let nodes = &mut self.tables.nodes;
        let mut made: Map<NodeId, NodeId> = Map::new();
        for id in nodes.post_order(&[index], |_| false) {
            let mut node = nodes.node(id);
            node.operands_mut(|operand| *operand = made.get(operand).copied().unwrap_or(*operand));
            let new = match node {
                Node::Binary {
                    op, left, right, ..
                } => nodes.binary(op, left, right),
                _ if node == nodes.node(id) => id,
                _ => {
                    let ty = nodes.ty(id);
                    nodes.add(node, ty)
                }
            };
            made.insert(id, new);
        }
        made.get(&index).copied()
    }

    /// Is an element the lane's own, as can be told from the text?
    pub(super) fn is_own(&self, of: &Lanes, layout: Layout, index: NodeId) -> bool {
        match (layout, self.offset(of, index)) {
            (Layout::Striped | Layout::Blocked(1), Some(offset)) => offset % i64::from(WARP) == 0,
            _ => self.is_in_run(of, layout, index),
        }
    }

    /// Is an index `k * i + j`, with a `j` below `k`?
    fn is_in_run(&self, of: &Lanes, layout: Layout, index: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let run = layout.run();
        let is_start = |id: NodeId| match nodes.node(self.named(id)) {
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => {
                let is = |a: NodeId, b: NodeId| {
                    self.named(a) == of.counter
                        && nodes.literal(b).is_some_and(|n| n.bits() == u64::from(run))
                };
                is(left, right) || is(right, left)
            }
            _ => false,
        };
        let is_below = |id: NodeId| match nodes.literal(id) {
            Some(n) => n.bits() < u64::from(run),
            // The counter of a loop of one lane inside of this one.
            None => {
                matches!(nodes.node(id), Node::Variable(v) if of.rounds.get(&v).is_some_and(|n| *n <= run))
            }
        };
        match nodes.node(self.named(index)) {
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => is_start(left) && is_below(right) || is_start(right) && is_below(left),
            // Flipped in the low bits, it is in the same run.
            Node::Binary {
                op: BinaryOp::Xor,
                left,
                right,
                ..
            } if run.is_power_of_two() => {
                let is_low = |id: NodeId| {
                    let bits = nodes.literal(self.named(id));
                    bits.is_some_and(|n| n.bits() < u64::from(run))
                };
                is_low(right) && self.is_in_run(of, layout, left)
                    || is_low(left) && self.is_in_run(of, layout, right)
            }
            _ => is_start(index),
        }
    }

    /// How far an index is from the lane's iteration, if that is a number.
    pub(super) fn offset(&self, of: &Lanes, index: NodeId) -> Option<i64> {
        let nodes = &self.tables.nodes;
        let index = self.named(index);
        if index == of.counter {
            return Some(0);
        }
        // What is added may be a large number that wraps to a smaller sum.
        let number = |id: NodeId| {
            nodes
                .literal(self.named(id))
                .map(|n| i64::from(n.u32() as i32))
        };
        match nodes.node(index) {
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => {
                let pairs = [(left, right), (right, left)];
                pairs
                    .into_iter()
                    .find_map(|(sum, n)| Some(self.offset(of, sum)? + number(n)?))
            }
            Node::Binary {
                op: BinaryOp::Sub,
                left,
                right,
                ..
            } => Some(self.offset(of, left)? - number(right)?),
            _ => None,
        }
    }

    /// What a name stands for.
    pub(super) fn named(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let Node::Variable(variable) = self.tables.nodes.node(id)
            && let Some(value) = self.names.get(&variable)
        {
            id = *value;
        }
        id
    }

    pub(super) fn is_uniform(&self, of: &Lanes, node: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let differs =
            |id: NodeId| matches!(nodes.node(id), Node::Variable(v) if of.bound.contains(&v));
        !nodes
            .post_order(&[node], |_| false)
            .into_iter()
            .any(differs)
    }

    pub(super) fn variable(&mut self, variable: VariableId) -> NodeId {
        let ty = self.tables.variable(variable).ty;
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    pub(super) fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }

    pub(super) fn loads(&self, value: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let all = nodes.post_order(&[value], |_| false);
        all.into_iter().any(|id| nodes.node(id).is_load())
    }

    /// May every lane compute a value, those among them that have no iteration: without a load, and without
    /// arithmetic that is exact for iterations alone?
    pub(super) fn is_total(&self, value: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let is_exact = |id: NodeId| matches!(nodes.node(id), Node::Binary { exact: true, .. });
        let all = nodes.post_order(&[value], |_| false);
        !self.loads(value) && !all.into_iter().any(is_exact)
    }

    pub(super) fn or_zero(&mut self, condition: NodeId, value: NodeId) -> NodeId {
        let nodes = &mut self.tables.nodes;
        let zero = nodes.add_literal(Literal::zero(nodes.ty(value)));
        nodes.select(condition, value, zero)
    }
}
