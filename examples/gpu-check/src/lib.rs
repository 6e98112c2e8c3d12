//! One command that says whether a device computes what it should: every kernel of the examples,
//! over lengths and numbers of threads, against references in plain Rust.
//!
//! [`run`] goes through [`checks::all`] and gives a [`Report`], which is a table and JSON. It takes any [`Device`]: it is meant for GPUs,
//! and holds CPU and simulator to the same. [`bench::run`] measures them, and others beside them.

pub mod bench;
pub mod checks;
pub mod report;

use obsidian_rt::prelude::*;

use checks::Check;
pub use report::{Case, Report};

/// Numbers of real threads per block: one, around a warp, a block that is not full, and a full one.
pub const THREADS: [u32; 6] = [1, 31, 33, 256, 1000, 1024];

/// What a run is to go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The lengths of a check up to 5,000 elements, at each kernel's own number of threads and at
    /// 33.
    Quick,
    /// All lengths, at each kernel's own number of threads and at all [`THREADS`].
    Full,
}

/// The longest length of a quick run.
const QUICK: usize = 5000;

/// Runs every check on a device. A launch that fails is a case that is wrong, and the others run
/// all the same; `progress` is told of each check that begins.
pub fn run(device: &Device, extent: Extent, mut progress: impl FnMut(&str)) -> Report {
    let mut cases = Vec::new();
    for check in checks::all() {
        progress(check.name);
        for length in (check.lengths)()
            .into_iter()
            .filter(|n| extent == Extent::Full || *n <= QUICK)
        {
            for threads in threads(device, extent) {
                cases.push(case(device, &check, length, threads));
            }
        }
    }
    Report {
        device: device.name().to_owned(),
        cases,
    }
}

/// None: the kernels' own numbers. On the CPU there are no threads of a block.
fn threads(device: &Device, extent: Extent) -> Vec<Option<u32>> {
    match (device.name(), extent) {
        ("cpu", _) => vec![None],
        (_, Extent::Quick) => vec![None, Some(33)],
        (_, Extent::Full) => [None].into_iter().chain(THREADS.map(Some)).collect(),
    }
}

fn case(device: &Device, check: &Check, length: usize, threads: Option<u32>) -> Case {
    let device = threads.map_or_else(|| device.clone(), |threads| device.with_threads(threads));
    let wrong = match (check.run)(&device, length) {
        Ok(()) => None,
        Err(wrong) => Some(wrong.to_string()),
    };
    Case {
        check: check.name,
        length,
        threads,
        wrong,
    }
}
