//! What the modules of array programs name.

pub use super::native::plan;
pub use obsidian_language::arrays::{
    Argument, Claimed, Given, Launched, LiteralArray, Only, Produced, Schedule, Settings,
    Signature, Slot, Step, Where, late,
};

use obsidian_language::arrays::{ArrayParameter, ArrayResult, Declared};

use crate::arrays::{ArrayParameters, ArrayProgram, RunResult};
use crate::variant::Variant;

/// A program of a schedule and its kernels.
pub fn program<P: ArrayParameters, R: RunResult>(
    schedule: Schedule,
    kernels: &[&'static Variant],
) -> ArrayProgram<P, R> {
    ArrayProgram::of(
        schedule,
        kernels.iter().map(|kernel| kernel.kernel()).collect(),
    )
}

/// Declares a parameter.
#[track_caller]
pub fn declare<P: ArrayParameter>(signature: &mut Signature) -> P {
    P::declare(signature)
}

/// Takes the results.
pub fn declared(results: impl ArrayResult) -> Declared {
    let mut declared = Declared::default();
    results.take(&mut declared);
    declared
}
