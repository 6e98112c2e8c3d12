//! Exact arithmetic, that of the library, which must not wrap around: what of it could not be shown to
//! be exact.

use crate::hashed::HashSet;

use super::facts::TOP;
use super::forms::Forms;
use super::poly::Poly;
use crate::scalar::{Node, NodeId, ScalarType};

impl Forms<'_> {
    /// Is some exact arithmetic in an expression not shown to be exact?
    pub(super) fn is_inexact(&self, root: NodeId) -> bool {
        !self.inexact_in(root, 1).is_empty()
    }

    /// The first parts of an expression that are not shown to be exact, without those that are
    /// divided for what that leaves: a remainder is below its divisor, whatever they are.
    pub(super) fn inexact_in(&self, root: NodeId, most: usize) -> Vec<NodeId> {
        let mut found = Vec::new();
        if self.inexact.is_empty() {
            return found;
        }
        let mut stack = vec![root];
        let mut seen = HashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.inexact.contains(&id) {
                found.push(id);
                if found.len() >= most {
                    break;
                }
            }
            match self.tables.nodes.node(id) {
                // Stored values of other statements are none of this one's.
                Node::Load { .. } => {}
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Binary { right, .. } if self.sealed.contains(&id) => stack.push(right),
                node => stack.extend(node.operands()),
            }
        }
        self.facts.work.values(seen.len() as u64);
        found
    }

    /// The number of `u32` that is divided for what that leaves, or that a mask is applied to. What
    /// cannot be shown to be exact is any number.
    pub(super) fn sealed(&mut self, whole: NodeId, part: NodeId) -> Poly {
        let value = self.value(part);
        if self.tables.nodes.ty(part) != ScalarType::U32 || !self.is_inexact(part) {
            return value;
        }
        self.sealed.insert(whole);
        self.opaque(part, 0, TOP)
    }
}
