//! Kernels whose threads hold what they work on: a sum by a loop over tiles, and scans of runs in registers.
//!
//! What is searched is how much a thread has, and how it gets that: the elements of a thread, the threads of a
//! block, the neighbours that a thread loads at once, and the tiles in one iteration. Words that a thread
//! holds bound how many blocks a multiprocessor has, which the prediction knows.

use obsidian_rt::TypedKernel;
use obsidian_rt::explore::{Candidate, Point, Space};
use obsidian_rt::language::{DPull, EU32, exec_block, lit};
use reduction::{PIECE, in_tiles};
use scan::held;

/// Elements of the whole job.
const ELEMENTS: u64 = 1 << 24;

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

/// The sum of each 65,536 elements.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn sum(point: &Point) -> obsidian_rt::Result<Candidate> {
    let threads = point.u32("threads")?;
    let shape = (
        point.u32("items")?,
        point.u32("width")?,
        point.u32("tiles")?,
    );
    let kernel = TypedKernel::build("sums_of_pieces", threads, move |input: DPull<EU32>| {
        input.chunks_len(PIECE as u32).as_grid_map(move |piece| {
            exec_block(in_tiles::of_piece(
                threads,
                shape,
                lit(0u32),
                |a, b| a + b,
                piece,
            ))
        })
    })?;
    Ok(Candidate::of(
        kernel,
        ELEMENTS / PIECE as u64,
        |blocks| crate::elements(blocks * PIECE as u64),
        |input| crate::sums(PIECE, input),
    ))
}

/// The 50 scans: a thread loads its own neighbours, or elements that lie `threads` apart, which the threads then exchange.
pub fn scans() -> Space {
    Space::new()
        .choice("loads", ["own", "exchanged"])
        .powers_of_two("items", 2..=32)
        .powers_of_two("threads", 64..=1024)
}

/// Scans of runs of as many elements as the threads hold.
///
/// # Errors
/// Where the kernel needs more shared memory than a block has.
pub fn scan(point: &Point) -> obsidian_rt::Result<Candidate> {
    let (items, threads) = (point.u32("items")?, point.u32("threads")?);
    let (run, is_own) = (items * threads, point.word("loads")? == "own");
    let kernel = TypedKernel::build("scans_held", threads, move |input: DPull<EU32>| {
        let add = |a: EU32, b: EU32| a + b;
        input.split_up(run).as_grid_map(move |run| {
            exec_block(if is_own {
                held::run_after(items, add, lit(0u32), run)
            } else {
                held::exchanged_run_after(items, add, lit(0u32), run)
            })
        })
    })?;
    Ok(Candidate::of(
        kernel,
        ELEMENTS / u64::from(run),
        move |blocks| crate::elements(blocks * u64::from(run)),
        move |input| crate::scans(run as usize, &[], input),
    ))
}
