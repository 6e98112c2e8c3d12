//! Kernels whose threads hold what they work on: a sum by a loop over tiles, and scans of runs in registers.
//!
//! What is searched is how much a thread has, and how it gets that: the elements of a thread, the threads of a
//! block, the neighbours that a thread loads at once, and the tiles in one iteration. Words that a thread
//! holds bound how many blocks a multiprocessor has, which the prediction knows.

use obsidian_rt::TypedKernel;
use obsidian_rt::explore::{Candidate, Job, Point, Space};
use obsidian_rt::language::{DPull, EU32, lit};
use reduction::PIECE;

use crate::reduction::Sums;
use crate::shapes::grids;

/// Elements of the whole job, where nothing else is said.
pub const ELEMENTS: u64 = 1 << 24;

/// The 135 sums: runs of `width` neighbours, which a thread has whole.
pub fn sums() -> Space {
    Space::new()
        .powers_of_two("items", 1..=16)
        .powers_of_two("threads", 64..=1024)
        .list("width", [1, 4, 16])
        .list("tiles", [1, 2, 4])
        .constraint("width <= items", |point| {
            Ok(point.u32("width")? <= point.u32("items")?)
        })
}

/// The job of the sums: an array of this length, and the sum of each run of 65,536.
pub fn sums_job(elements: u64) -> Job<Vec<u32>, Vec<u32>> {
    Job::new(crate::elements(elements), |input| crate::sums(PIECE, input))
}

/// The sum of each 65,536 elements.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn sum(point: &Point) -> obsidian_rt::Result<Sums> {
    let threads = point.u32("threads")?;
    let shape = (
        point.u32("items")?,
        point.u32("width")?,
        point.u32("tiles")?,
    );
    let kernel = TypedKernel::build("sums_of_pieces", threads, move |input: DPull<EU32>| {
        grids::pieces_in_tiles(
            (threads, PIECE as u32),
            shape,
            lit(0u32),
            |a, b| a + b,
            input,
        )
    })?;
    Ok(Candidate::of(kernel))
}

/// The 50 scans: a thread loads its own neighbours, or elements that lie `threads` apart, which the threads then exchange. The length of a run is
/// given.
pub fn scans() -> Space {
    let threads = |point: &Point| Ok(point.u32("run")? / point.u32("items")?);
    Space::new()
        .given("run", (7..=15).map(|bit| 1u32 << bit))
        .choice("loads", ["own", "exchanged"])
        .powers_of_two("items", 2..=32)
        .constraint("64 to 1024 threads", move |point| {
            Ok((64..=1024).contains(&threads(point)?))
        })
}

/// The job of the scans: an array of this length, and the scan of each run.
///
/// # Errors
/// If the space has no runs.
pub fn scans_job(elements: u64, key: &Point) -> obsidian_rt::Result<Job<Vec<u32>, Vec<u32>>> {
    let run = key.u32("run")? as usize;
    Ok(Job::new(crate::elements(elements), move |input| {
        crate::scans(run, &[], input)
    }))
}

/// Scans of runs of as many elements as the threads hold.
///
/// # Errors
/// Where the kernel needs more shared memory than a block has.
pub fn scan(point: &Point) -> obsidian_rt::Result<Sums> {
    let (items, run) = (point.u32("items")?, point.u32("run")?);
    let is_own = point.word("loads")? == "own";
    let kernel = TypedKernel::build("scans_held", run / items, move |input: DPull<EU32>| {
        grids::runs_held((items, run), is_own, lit(0u32), |a, b| a + b, input)
    })?;
    Ok(Candidate::of(kernel))
}
