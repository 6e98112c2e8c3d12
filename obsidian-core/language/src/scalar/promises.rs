//! What the user promises about an index: `i.unchecked()` and `i.distinct()`.
//!
//! A promise about a part of an index is one about the whole: `base + rank.distinct()` promises that
//! the sums are distinct. A value that was loaded is a number like any other: what was promised
//! about the index of that load says nothing about an index that is made of the value. Nor does a
//! promise about what a condition compares: `select(rank.distinct() < n, i, j)` promises nothing.

use crate::hashed::HashMap;

use super::{Node, NodeId, Nodes, ScalarType, UnaryOp, VariableId};

/// What the user promises about an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Promises {
    /// It is inside of its array.
    pub inside: bool,
    /// No two threads have it at the same time, and no two writes.
    pub distinct: bool,
}

/// The promises of the expressions of a kernel. What is known of a part is kept.
#[derive(Default, Debug)]
pub struct Promised {
    known: HashMap<NodeId, Promises>,
}

impl Promised {
    /// What is promised about an index; `names` gives what a variable stands for.
    pub fn of(
        &mut self,
        nodes: &Nodes,
        index: NodeId,
        names: impl Fn(VariableId) -> Option<NodeId>,
    ) -> Promises {
        // A stack of our own: expressions may be deeper than the thread's stack.
        let mut stack = vec![(index, false)];
        while let Some((id, seen)) = stack.pop() {
            if self.known.contains_key(&id) {
                continue;
            }
            let node = nodes.node(id);
            let parts: Vec<NodeId> = match node {
                Node::Variable(variable) => names(variable).into_iter().collect(),
                Node::Load { .. } => Vec::new(),
                _ if nodes.ty(id) == ScalarType::Bool => Vec::new(),
                node => node.operands().collect(),
            };
            if !seen {
                stack.push((id, true));
                stack.extend(parts.into_iter().map(|part| (part, false)));
                continue;
            }
            let own = |wanted| matches!(node, Node::Unary { op, .. } if op == wanted);
            let mut promises = Promises {
                inside: own(UnaryOp::Trust),
                distinct: own(UnaryOp::Distinct),
            };
            for part in parts {
                let part = self.known.get(&part).copied().unwrap_or_default();
                promises.inside |= part.inside;
                promises.distinct |= part.distinct;
            }
            self.known.insert(id, promises);
        }
        self.known.get(&index).copied().unwrap_or_default()
    }
}
