//! Looking at expressions sparingly: those with many choices, one inside of the other, once where
//! their statement stands, and not again under every condition ([`work`](super::work) says when).
//!
//! *Argument.* An expression that was looked at where less was known has a form that holds here too;
//! it may only say less.

use super::forms::Forms;
use crate::scalar::{NodeId, ScalarType};

/// With more choices than these in it, one inside of the other, an expression is looked at sparingly.
const MOST_CHOICES: u32 = 3;

impl Forms<'_> {
    /// Is an expression looked at once, and not again under every condition?
    pub(super) fn is_sparing(&self, id: NodeId) -> bool {
        self.facts.work.sparing && self.is_deep(id)
    }

    /// Are there many choices in it, one inside of the other?
    fn is_deep(&self, id: NodeId) -> bool {
        self.choices
            .get(&id)
            .is_some_and(|choices| *choices > MOST_CHOICES)
    }

    /// Looks at what has many choices in it here, so that it need not be looked at elsewhere.
    pub(super) fn look(&mut self, roots: &[NodeId]) {
        let nodes = &self.tables.nodes;
        for id in nodes.post_order(roots, |id| self.choices.contains_key(&id)) {
            let node = nodes.node(id);
            let name = node
                .variable()
                .and_then(|variable| self.names.get(&variable).copied());
            let parts = node.operands().chain(name);
            let inside = parts.filter_map(|part| self.choices.get(&part)).max();
            let own = u32::from(node.is_choice());
            self.choices
                .insert(id, inside.map_or(0, |inside| inside + own).max(own));
        }
        let order = nodes.post_order(roots, |id| self.values.contains_key(&id));
        for id in order {
            if nodes.ty(id) == ScalarType::U32 && self.is_deep(id) {
                self.ring(id);
            }
        }
    }
}
