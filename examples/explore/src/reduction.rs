//! The paper's Figure 9 and Table 2: seven reductions, eight numbers of elements, six numbers of
//! threads.
//!
//! The paper runs 8,192 blocks of each, which is more work for more elements; here the job has 2^24
//! elements at each size. `Work` chooses.

use obsidian_rt::TypedKernel;
use obsidian_rt::explore::{Candidate, Job, Point, Space};
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use reduction::{ELEMENTS, THREADS, reduction};

/// The names of the reductions.
pub const NAMES: [&str; 7] = ["red1", "red2", "red3", "red4", "red5", "red6", "red7"];

/// What all candidates have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A number of elements, whatever a block takes of them; rounded down to whole blocks.
    Elements(u64),
    /// A number of blocks, whatever their elements are.
    Blocks(u64),
}

impl Work {
    /// Refuses a job with more elements than a kernel takes, which counts them by a `u32`.
    ///
    /// # Errors
    /// If they cannot, with the most blocks that can.
    pub fn fits(self, elements: u32) -> Result<(), String> {
        let all = self.blocks(elements).checked_mul(elements.into());
        if all.is_some_and(|all| u32::try_from(all).is_ok()) {
            return Ok(());
        }
        Err(format!(
            "{} blocks of {elements} elements are more than 4294967295 elements, the most that a kernel takes; at most {} blocks are possible",
            self.blocks(elements),
            u32::MAX / elements.max(1)
        ))
    }

    /// The number of blocks, for so many elements a block.
    pub fn blocks(self, elements: u32) -> u64 {
        match self {
            Work::Elements(all) => all / u64::from(elements),
            Work::Blocks(blocks) => blocks,
        }
    }
}

/// Sums of runs, one for each block.
pub type Sums = Candidate<Vec<u32>, Vec<u32>>;

/// The 336 points; those of 32,768 elements cannot be built for the first three kernels. The elements of a block are given: another number of them is
/// another job.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .given("elements", ELEMENTS)
        .list("threads", THREADS)
}

/// The job of a run length: an array, and the sum of each run.
///
/// # Errors
/// If the space has no elements.
pub fn job(work: Work, key: &Point) -> obsidian_rt::Result<Job<Vec<u32>, Vec<u32>>> {
    let elements = key.u32("elements")?;
    let all = work.blocks(elements) * u64::from(elements);
    Ok(Job::new(crate::elements(all), move |input| {
        crate::sums(elements as usize, input)
    }))
}

/// A kernel that takes runs of elements, one for each block.
pub type Kernel = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

/// The kernel of a point: each run of `elements`, reduced by a block.
///
/// # Errors
/// Where it needs more shared memory than a block has.
pub fn kernel(point: &Point) -> obsidian_rt::Result<Kernel> {
    reduction(
        number(point)?,
        point.u32("elements")?,
        point.u32("threads")?,
    )
}

/// The kernel as a candidate.
///
/// # Errors
/// As [`kernel`].
pub fn candidate(point: &Point) -> obsidian_rt::Result<Sums> {
    kernel(point).map(Candidate::of)
}

/// The number of the kernel, from 1 on.
///
/// # Errors
/// If the space has no kernels.
pub fn number(point: &Point) -> obsidian_rt::Result<u32> {
    let name = point.word("kernel")?;
    Ok((1..)
        .zip(NAMES)
        .find(|(_, known)| *known == name)
        .map_or(7, |(number, _)| number))
}
