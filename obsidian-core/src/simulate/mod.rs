//! Runs a plan (stand-in until the branch `emit` is merged).

use crate::plan::Plan;
use crate::scalar::Literal;

/// An argument.
pub enum Argument<'a> {
    /// The bits of the elements.
    Array(&'a mut [u64]),
    /// A scalar.
    Scalar(Literal),
}

/// What was counted.
#[derive(Debug)]
pub struct Counts;

/// What went wrong.
#[derive(Debug)]
pub struct Fault;

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not merged")
    }
}

/// Runs a plan.
///
/// # Errors
/// What went wrong.
pub fn run(_: &Plan, _: &mut [Argument<'_>], _: u32) -> Result<Counts, Fault> {
    Err(Fault)
}
