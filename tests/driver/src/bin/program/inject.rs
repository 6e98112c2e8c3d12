//! Every call of the driver that the runtime makes fails: the first, the second and the last of
//! each name, with each of many codes; without `OBSIDIAN_LONG=1` with a quarter of them, each time with others.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use obsidian_rt::{Error, ErrorKind};

use crate::scenario::{Results, run};
use crate::{Outcome, driver, hold};

/// The codes, and the kind of the error that is made of each.
const CODES: [(i32, ErrorKind); 12] = [
    (1, ErrorKind::DriverCall),
    (2, ErrorKind::OutOfMemory),
    (3, ErrorKind::DriverCall),
    (100, ErrorKind::DeviceUnavailable),
    (200, ErrorKind::KernelRejected),
    (209, ErrorKind::KernelRejected),
    (218, ErrorKind::KernelRejected),
    (222, ErrorKind::KernelRejected),
    (700, ErrorKind::LostContext),
    (701, ErrorKind::OutOfResources),
    (719, ErrorKind::LostContext),
    (999, ErrorKind::DriverCall),
];

/// Calls that give something back. They are made while values are dropped: nobody is told.
const RELEASES: [&str; 8] = [
    "cuMemFree_v2",
    "cuMemFreeHost",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
    "cuModuleUnload",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuDevicePrimaryCtxRelease_v2",
];

/// Made before other calls, also those of a drop.
const CURRENT: &str = "cuCtxSetCurrent";

/// All of them; says how many there were.
pub fn all() -> Outcome {
    of(&run, &Results::right(), 600, (&|_| Ok(()), &[]))
}

/// The call of the thread that reads the chunks of a sequence.
const READS: &str = "cuMemAllocHost_v2";

/// A scenario, what it gives, and the least number of failures if all are tried. `check` looks at each error; some calls are made ahead of time,
/// and made again where they are needed.
pub fn of<R: PartialEq + Debug>(
    run: &dyn Fn() -> obsidian_rt::Result<R>,
    results: &R,
    least: usize,
    (check, made_again): (&dyn Fn(&Error) -> Outcome, &[&str]),
) -> Outcome {
    driver::say("reset")?;
    let right = run().map_err(|error| format!("without a failure: {error:?}"))?;
    hold(right == *results, || {
        format!("without a failure, the results are wrong: {right:?}")
    })?;
    clean("without a failure", 0)?;
    let calls = driver::calls()?;
    let step = if std::env::var_os("OBSIDIAN_LONG").is_some() {
        1
    } else {
        4
    };
    let (mut injections, mut errors, mut turn) = (0, 0, 0);
    for (call, count) in &calls {
        let mut occurrences = vec![1, 2, *count];
        occurrences.retain(|n| n <= count);
        occurrences.dedup();
        for occurrence in occurrences {
            turn += 1;
            for (code, kind) in CODES.into_iter().skip(turn % step).step_by(step) {
                let what = format!("call {occurrence} of {call} with {code}");
                let failure = (call.as_str(), occurrence, code, kind);
                errors += u32::from(one(&what, failure, run, results, (check, made_again))?);
                injections += 1;
            }
        }
    }
    println!(
        "{injections} injections into {} functions, {errors} typed errors",
        calls.len()
    );
    let least = least / step;
    hold(injections >= least, || {
        format!("these are fewer than {least}")
    })
}

/// One failure; was it an error?
fn one<R: PartialEq + Debug>(
    what: &str,
    (call, occurrence, code, kind): (&str, u64, i32, ErrorKind),
    run: &dyn Fn() -> obsidian_rt::Result<R>,
    right: &R,
    (check, made_again): (&dyn Fn(&Error) -> Outcome, &[&str]),
) -> Result<bool, String> {
    driver::say("reset")?;
    driver::say(&format!("fail {call} {occurrence} {code}"))?;
    let result = catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{what}: a panic"))?;
    let released = RELEASES.contains(&call);
    let is_error = match result {
        // A context that is lost in a drop is found by the next call, and one that a thread loses that reads, by the next one of either.
        Err(error)
            if (released || call == CURRENT || call == READS) && kind == ErrorKind::LostContext =>
        {
            hold(
                error.kind() == kind && error.driver_code() == Some(code),
                || format!("{what}: {error:?}"),
            )?;
            true
        }
        Err(error) => {
            check(&error).map_err(|words| format!("{what}: {words}"))?;
            hold(!released, || format!("{what}: {error:?}"))?;
            let found = (error.kind(), error.driver_call(), error.driver_code());
            hold(found == (kind, Some(call), Some(code)), || {
                format!("{what}: {found:?}, {error}")
            })?;
            hold(error.to_string().contains(call), || {
                format!("{what} is not named: {error}")
            })?;
            true
        }
        Ok(results) => {
            // The last time that a context becomes current is in a drop, and where there is no memory left
            // the pools give back what they keep.
            let ahead = made_again.contains(&call);
            let tried_again = ahead
                || (call == "cuMemAlloc_v2" || call.starts_with("cuGraph"))
                    && kind == ErrorKind::OutOfMemory;
            hold(released || call == CURRENT || tried_again, || {
                format!("{what}: no error")
            })?;
            hold(results == *right, || {
                format!("{what}: wrong results {results:?}")
            })?;
            false
        }
    };
    clean(what, 1)?;
    Ok(is_error)
}

/// Is everything given back, but for what the driver did not take? With a lost context that is
/// everything that there was.
fn clean(what: &str, most: u64) -> Outcome {
    let (live, failed) = driver::left()?;
    let lost = what.ends_with(" 700") || what.ends_with(" 719");
    hold(failed <= most || lost, || {
        format!("{what}: {failed} calls that give something back have failed")
    })?;
    hold(live.len() as u64 <= failed, || {
        format!(
            "{what}: {failed} could not be given back, and there is left\n{}",
            live.join("\n")
        )
    })
}
