//! The paper's Figure 12 and Table 3: five scans, five numbers of elements, six numbers of threads.

use obsidian_rt::explore::{Candidate, Point, Space};
use scan::{ELEMENTS, NAMES, THREADS, scan};

use crate::reduction::Work;

/// The 150 points.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .list("elements", ELEMENTS)
        .list("threads", THREADS)
}

/// Each run of `elements`, scanned by a block.
///
/// # Errors
/// Where the kernel needs more shared memory than a block has.
pub fn candidate(work: Work, point: &Point) -> obsidian_rt::Result<Candidate> {
    let elements = point.u32("elements")?;
    let kernel = scan(number(point, "kernel")?, elements, point.u32("threads")?)?;
    let input = move |blocks| crate::elements(blocks * u64::from(elements));
    Ok(Candidate::of(
        kernel,
        work.blocks(elements),
        input,
        move |input| crate::scans(elements as usize, &[], input),
    ))
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
