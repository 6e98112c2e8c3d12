//! Accesses whose index the user vouches for (`i.unchecked()`), numbered in the order in which a text has them.
//!
//! Every other index is proved to be inside of its array. A text that checks these ones says which failed by its number; what has to know the
//! access behind a number prints the kernel again: two prints of one kernel have the same accesses in the same order.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::error::Origin;
use crate::ir::{Kernel, Stage};
use crate::scalar::{ArrayId, NodeId, Nodes, Promised, VariableId};

/// An access that the user vouches for: the array, and where it was asked for.
pub type VouchedAccess = (ArrayId, Origin);

/// The accesses so far, and what names stand for.
#[derive(Debug, Default)]
pub(super) struct Vouched {
    lets: BTreeMap<VariableId, NodeId>,
    promised: RefCell<Promised>,
    accesses: RefCell<Vec<(NodeId, VouchedAccess)>>,
}

impl Vouched {
    pub(super) fn of<S: Stage>(kernel: &Kernel<S>) -> Self {
        Vouched {
            lets: kernel.lets(),
            ..Vouched::default()
        }
    }

    /// Returns `true` if the user vouches for an index, as the check decides it.
    pub(super) fn is_vouched(&self, nodes: &Nodes, index: NodeId) -> bool {
        let names = |variable| self.lets.get(&variable).copied();
        let mut promised = self.promised.borrow_mut();
        promised.of(nodes, index, names).inside
    }

    /// The number of an access that the user vouches for; accesses of one place that are equal have one number.
    pub(super) fn number(&self, index: NodeId, access: VouchedAccess) -> usize {
        let mut accesses = self.accesses.borrow_mut();
        let entry = (index, access);
        let known = accesses.iter().position(|other| *other == entry);
        known.unwrap_or_else(|| {
            accesses.push(entry);
            accesses.len() - 1
        })
    }

    /// The accesses in the order of their numbers.
    pub(super) fn into_accesses(self) -> Vec<VouchedAccess> {
        let accesses = self.accesses.into_inner().into_iter();
        accesses.map(|(_, access)| access).collect()
    }
}
