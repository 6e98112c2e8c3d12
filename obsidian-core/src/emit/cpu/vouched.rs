//! Accesses whose index the user vouches for (`i.unchecked()`).
//!
//! Every other index is proved to be inside of its array, and `array[index]` says so. One that is
//! vouched for may be wrong, which is the user's mistake: the text calls a function of the runtime
//! with the number of the access. Should the index be outside, the runtime looks the number up in
//! [`checks`], which prints the kernel again: the text of the macro and that of the native build
//! have the same accesses in the same order.

use super::printer::{Access as Whose, Printer};
use crate::emit::vouched::Check;
use crate::error::Origin;
use crate::plan::Plan;
use crate::scalar::{ArrayId, NodeId};

impl Printer<'_> {
    /// The number of an access, if the user vouches for its index. Indices of a block's own piece
    /// are proved: that each block writes its piece is.
    pub(super) fn vouched(&self, array: ArrayId, index: NodeId, origin: Origin) -> Option<usize> {
        let is_own = matches!(self.access(array), Whose::Chunk(_) | Whose::Ragged(_));
        (!is_own && self.is_vouched(index)).then(|| {
            self.vouched
                .number(Some(index), Check::Inside { array, origin })
        })
    }

    /// Returns `true` if the user vouches for an index, as the check decides it.
    pub(super) fn is_vouched(&self, index: NodeId) -> bool {
        self.vouched.is_vouched(&self.kernel.tables.nodes, index)
    }
}

/// What the text of a kernel checks, in the order of the numbers.
pub(in crate::emit) fn checks(plan: &Plan) -> Vec<Check> {
    let (kernel, hidden) = super::loops(plan.by_one());
    super::printed(
        (&kernel, hidden),
        crate::ordered::Set::new(),
        &|array| plan.pattern(array),
        super::RUNTIME,
    )
    .into_checks()
}
