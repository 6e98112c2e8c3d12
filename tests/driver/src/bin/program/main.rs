//! Programs that use a CUDA device, for tests: each runs in a process of its own, which finds the
//! driver for tests as `libcuda.so.1`.
//!
//! The first argument says which. What is wrong is printed, and makes the process fail.

mod awaited;
#[cfg(feature = "cust")]
mod cust;
mod driver;
mod faults;
mod inject;
mod kept;
mod kernels;
mod lost;
mod ordered;
mod pinned;
mod planted;
mod ranges;
mod refused;
mod replayed;
mod scenario;
mod streamed;
mod together;
mod tuned;
mod without;
mod works;

use std::process::ExitCode;

/// What is wrong, in words.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let which = std::env::args().nth(1).unwrap_or_default();
    let outcome = match which.as_str() {
        "works" => works::everything(),
        "kept" => kept::everything(),
        "devices" => works::devices(),
        "best" => works::best(),
        "fault" => lost::by_a_kernel(),
        "fault-recorded" => lost::by_recorded_work(),
        "fault-found" => lost::found_by_events(),
        "when" => lost::when_errors_come(),
        "lost" => lost::everything_says_so(),
        "faults" => faults::everything(),
        "inject" => inject::all(),
        #[cfg(feature = "cust")]
        "cust" => cust::both_ways().and_then(|()| cust::may_fail()),
        "ranges" => ranges::all(),
        "replayed" => replayed::everything(),
        "ordered" => ordered::everything(),
        "refused" => refused::all(),
        "without" => without::a_compiler(),
        "streamed" => streamed::everything(),
        "streamed-inject" => streamed::may_fail(),
        "together" => together::programs(),
        "tuned" => tuned::launches(),
        "explored" => tuned::explored(),
        "planted" => planted::isolated(),
        _ => Err(format!("there is no program `{which}`")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            println!("{words}");
            ExitCode::FAILURE
        }
    }
}

/// What holds, or the words.
fn hold(holds: bool, words: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(words()) }
}
