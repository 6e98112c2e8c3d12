//! What must hold of the lengths and arguments of a launch.

use super::constraint::Constraint;
use super::formula::Formula;

/// What must hold of a length when the kernel is launched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequirementInfo {
    /// The length.
    pub length: Formula,
    /// What must hold of it.
    pub constraint: Constraint<Formula>,
}
