//! What real threads do where a block combines what all earlier blocks have.

use crate::error::Origin;
use crate::scalar::{NodeId, VariableId};

use super::{Stage, Statement};

/// A thread, or a warp whose lanes do it together, tells what its block has for one element, and finds out what all earlier
/// blocks have, combined in the order of [`CollectiveOp::Earlier`](super::CollectiveOp::Earlier).
///
/// ```text
/// cell sum = 0_u32
/// follow lanes 0_u32 of 1_u32 own into sum x {
///   get v = sum
///   assign sum = (v + x)
/// }
/// ```
///
/// The cells have the initial value before it, and the result behind it. The list combines what the cells have with an
/// element that comes later, which `right` is bound to, and puts it into the cells; it is executed for pairs in the order
/// of the collective, whatever the cells had.
///
/// Directly or under conditions it stands in the list of an ordered loop over blocks. All blocks execute it for the same elements, once each.
#[derive(Clone, PartialEq, Debug)]
pub struct Earlier<S: Stage> {
    /// Do the lanes of one whole warp execute it together, all with the same values? Else threads do, each for
    /// an element of its own.
    pub by_lanes: bool,
    /// Which of the elements of a block it is, `u32`.
    pub element: NodeId,
    /// How many elements a block has, a literal `u32`.
    pub count: NodeId,
    /// What this block has, by components.
    pub own: Vec<NodeId>,
    /// Of kind `Cell`, one for each component.
    pub cells: Vec<VariableId>,
    /// The later element, of kind `Let`, one for each component.
    pub right: Vec<VariableId>,
    /// At level Thread. It accesses no array and no cell but these and its own.
    pub combine: Vec<Statement<S>>,
    /// The user's place.
    pub origin: Origin,
}

impl<S: Stage> Earlier<S> {
    /// The same at another stage, its list changed by `list`.
    #[doc(hidden)]
    pub fn into_stage<T: Stage>(
        self,
        list: &mut dyn FnMut(Vec<Statement<S>>) -> Vec<Statement<T>>,
    ) -> Earlier<T> {
        Earlier {
            by_lanes: self.by_lanes,
            element: self.element,
            count: self.count,
            own: self.own,
            cells: self.cells,
            right: self.right,
            combine: list(self.combine),
            origin: self.origin,
        }
    }
}
