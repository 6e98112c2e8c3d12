//! The reference: runs a [`Plan`] step by step, for clarity, not for speed.
//!
//! Blocks run one after another. The threads of a block step through the statements together: each statement is
//! done by all threads that have reached it, in order of their numbers, before any thread goes on to the next. So a missing
//! barrier does not show here, but overlapping arrays do: shared memory is bytes, laid out as the plan says, and holds a
//! pattern other than 0 when a block begins. What an operator means is taken from [`meaning`](crate::scalar::meaning).
//!
//! An access outside of an array, a wait that not all threads reach, and index arithmetic that is marked exact and
//! is not, end the run with a [`Fault`].

mod evaluate;
mod execute;
mod fault;
mod memory;

pub use fault::{Fault, FaultKind};

use crate::plan::Plan;
use crate::scalar::Literal;

/// What a kernel is given for one parameter.
#[derive(Debug)]
pub enum Argument<'a> {
    /// The elements of a buffer, each as its [bits](Literal::bits).
    Array(&'a mut [u64]),
    /// A value of the parameter's type.
    Scalar(Literal),
}

/// What a run has done, over all blocks and threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Statements, once for each thread that executed them.
    pub statements: u64,
    /// Elements read, of any array.
    pub loads: u64,
    /// Elements written, of any array; an atomic operation is both.
    pub stores: u64,
    /// Waits, once for each unit that waited.
    pub waits: u64,
    /// Integer divisions and remainders by 0.
    pub zero_divisions: u64,
}

/// Runs the plan's kernel on `grid` real blocks; the arguments are in the order of the parameters.
///
/// # Errors
///
/// See [`FaultKind`]. The buffers then hold what was written until the fault.
pub fn run(plan: &Plan, arguments: &mut [Argument<'_>], grid: u32) -> Result<Counts, Fault> {
    let (globals, scalars) = memory::bind(plan, arguments)?;
    let mut machine = execute::Machine::new(plan, globals, &scalars, grid);
    for block in 0..grid {
        machine.block(block)?;
    }
    Ok(machine.counts())
}

#[cfg(test)]
mod tests;
