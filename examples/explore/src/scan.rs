//! The paper's Figure 12 and Table 3: five scans, five numbers of elements, six numbers of threads.

use obsidian_rt::explore::{Candidate, Job, Point, Space};
use scan::{ELEMENTS, NAMES, THREADS, scan};

use crate::reduction::{Kernel, Sums, Work};

/// The 150 points. The elements of a block are given: another number of them is another job.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .given("elements", ELEMENTS)
        .list("threads", THREADS)
}

/// The job of a run length: an array, and the scan of each run.
///
/// # Errors
/// If the space has no elements.
pub fn job(work: Work, key: &Point) -> obsidian_rt::Result<Job<Vec<u32>, Vec<u32>>> {
    let elements = key.u32("elements")?;
    let all = work.blocks(elements) * u64::from(elements);
    Ok(Job::new(crate::elements(all), move |input| {
        crate::scans(elements as usize, &[], input)
    }))
}

/// The kernel of a point: each run of `elements`, scanned by a block.
///
/// # Errors
/// Where it needs more shared memory than a block has.
pub fn kernel(point: &Point) -> obsidian_rt::Result<Kernel> {
    let (elements, threads) = (point.u32("elements")?, point.u32("threads")?);
    scan(number(point, "kernel")?, elements, threads)
}

/// The kernel as a candidate.
///
/// # Errors
/// As [`kernel`].
pub fn candidate(point: &Point) -> obsidian_rt::Result<Sums> {
    kernel(point).map(Candidate::of)
}

/// The number of the kernel that a parameter names, from 1 on.
///
/// # Errors
/// If the space has no such parameter.
pub fn number(point: &Point, parameter: &str) -> obsidian_rt::Result<u32> {
    let name = point.word(parameter)?;
    Ok((1..)
        .zip(NAMES)
        .find(|(_, known)| *known == name)
        .map_or(5, |(number, _)| number))
}
