//! What the modules of array programs name.

pub use obsidian_core::arrays::{
    Argument, Claimed, Given, Launched, LiteralArray, Only, Produced, Schedule, Settings,
    Signature, Slot, Step, Where, late,
};

use obsidian_core::arrays::{ArrayParameter, ArrayResult, Declared, build_kernel};
use obsidian_core::error::Diagnostics;
use obsidian_core::plan::Plan;

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

/// Builds the program natively, and gives the plan of the kernel with a name. Numbers could be others: the places that tell kernels apart are
/// calls here, and tokens in the expansion.
pub fn plan(
    name: &str,
    names: &[&str],
    settings: Settings,
    kernel: &str,
    function: &dyn Fn(&mut Signature) -> Declared,
) -> Result<Plan, Diagnostics> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if let Some(plan) = build_kernel(name, &names, settings, kernel, function)? {
        return Ok(plan);
    }
    let words = "the native build of an array program has other kernels than its expansion";
    let bug = obsidian_core::error::catalogue::bug(words);
    Err(Diagnostics::new(vec![bug], Default::default()))
}
