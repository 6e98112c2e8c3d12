//! The paper's Figure 9 and Table 2: seven reductions, eight numbers of elements, six numbers of
//! threads.
//!
//! The paper runs 8,192 blocks of each, which is more work for more elements; here the job is 2^24
//! elements for all, so that the shapes compete. `Work` chooses.

use obsidian_rt::explore::{Candidate, Point, Space};
use reduction::{ELEMENTS, THREADS, reduction};

/// The names of the reductions.
pub const NAMES: [&str; 7] = ["red1", "red2", "red3", "red4", "red5", "red6", "red7"];

/// What all candidates have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// So many elements, whatever a block takes of them; rounded down to whole blocks.
    Elements(u64),
    /// So many blocks, whatever their elements are.
    Blocks(u64),
}

impl Work {
    /// The number of blocks, for so many elements a block.
    pub fn blocks(self, elements: u32) -> u64 {
        match self {
            Work::Elements(all) => all / u64::from(elements),
            Work::Blocks(blocks) => blocks,
        }
    }
}

/// The 336 points; those of 32,768 elements cannot be built for the first three kernels.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .list("elements", ELEMENTS)
        .list("threads", THREADS)
}

/// Each run of `elements`, reduced by a block.
///
/// # Errors
/// Where the kernel needs more shared memory than a block has.
pub fn candidate(work: Work, point: &Point) -> obsidian_rt::Result<Candidate> {
    let elements = point.u32("elements")?;
    let kernel = reduction(number(point)?, elements, point.u32("threads")?)?;
    let input = move |blocks| crate::elements(blocks * u64::from(elements));
    Ok(Candidate::of(
        kernel,
        work.blocks(elements),
        input,
        move |input| crate::sums(elements as usize, input),
    ))
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
