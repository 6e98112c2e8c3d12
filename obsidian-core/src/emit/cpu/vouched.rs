//! Accesses whose index the user vouches for (`i.unchecked()`).
//!
//! Every other index is proved to be inside of its array, and `array[index]` says so. One that is
//! vouched for may be wrong, which is the user's mistake: the text calls a function of the runtime
//! with the number of the access. Should the index be outside, the runtime looks the number up in
//! [`vouched`], which prints the kernel again: the text of the macro and that of the native build
//! have the same accesses in the same order.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::printer::{Access as Whose, Printer};
use crate::error::Origin;
use crate::ir::{Kernel, Lowered};
use crate::plan::Plan;
use crate::scalar::{ArrayId, NodeId, Promised, VariableId};

/// An access that the user vouches for: the array, and where it was asked for.
pub type Access = (ArrayId, Origin);

/// The accesses so far, and what names stand for.
#[derive(Default)]
pub(super) struct Vouched {
    lets: BTreeMap<VariableId, NodeId>,
    promised: RefCell<Promised>,
    accesses: RefCell<Vec<(NodeId, Access)>>,
}

impl Vouched {
    pub(super) fn of(kernel: &Kernel<Lowered>) -> Self {
        Vouched {
            lets: kernel.lets(),
            ..Vouched::default()
        }
    }

    pub(super) fn into_accesses(self) -> Vec<Access> {
        let accesses = self.accesses.into_inner();
        accesses.into_iter().map(|(_, access)| access).collect()
    }
}

impl Printer<'_> {
    /// The number of an access, if the user vouches for its index. Indices of a block's own piece
    /// are proved: that each block writes its piece is.
    pub(super) fn vouched(&self, array: ArrayId, index: NodeId, origin: Origin) -> Option<usize> {
        if matches!(self.access(array), Whose::Chunk(_) | Whose::Ragged(_))
            || !self.is_vouched(index)
        {
            return None;
        }
        let mut accesses = self.vouched.accesses.borrow_mut();
        let entry = (index, (array, origin));
        let known = accesses.iter().position(|other| *other == entry);
        Some(known.unwrap_or_else(|| {
            accesses.push(entry);
            accesses.len() - 1
        }))
    }

    /// Returns `true` if the user vouches for an index, as the check decides it.
    pub(super) fn is_vouched(&self, index: NodeId) -> bool {
        let names = |variable| self.vouched.lets.get(&variable).copied();
        let mut promised = self.vouched.promised.borrow_mut();
        promised.of(&self.kernel.tables.nodes, index, names).inside
    }
}

/// The accesses of a kernel that the user vouches for, in the order of their numbers.
pub fn vouched(plan: &Plan) -> Vec<Access> {
    let (kernel, hidden) = super::loops(plan.by_one());
    super::printed(
        (&kernel, hidden),
        std::collections::BTreeSet::new(),
        &|array| plan.pattern(array),
        super::RUNTIME,
    )
    .into_accesses()
}
