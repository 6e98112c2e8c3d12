//! Large reductions in two launches (section 7.1): the paper's Table 4, and the adaptive kernel of
//! its Figure 13.

use obsidian_rt::explore::{Candidate, Job, Point, Space};
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use obsidian_rt::{Buffer, Device, Result, TypedKernel};
use reduction::{THREADS, reduction, reductions};

use crate::reduction::{NAMES, Sums, number};

/// Elements of Table 4, and those of a block of its first launch.
const ELEMENTS: u32 = 1 << 24;
const BLOCK: u32 = 4096;

type Kernel = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

/// Table 4: the 42 points. 2^24 elements in 4,096 blocks, and their 4,096 sums in one block of the
/// same kernel.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .list("threads", THREADS)
}

/// The sum of 2^24 elements.
///
/// # Errors
/// None that are known.
pub fn job(_: &Point) -> Result<Job<Vec<u32>, Vec<u32>>> {
    Ok(sum(ELEMENTS))
}

fn sum(elements: u32) -> Job<Vec<u32>, Vec<u32>> {
    Job::new(crate::elements(elements.into()), |input| {
        crate::sums(input.len(), input)
    })
}

/// Both launches of Table 4.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn candidate(point: &Point) -> Result<Sums> {
    let kernel = reduction(number(point)?, BLOCK, point.u32("threads")?)?;
    Ok(one_after_the_other(kernel.clone(), kernel))
}

/// Figure 13: the 126 points of three sizes, which are given.
pub fn adaptive_space() -> Space {
    Space::new()
        .given("elements", [1u32 << 23, 1 << 24, 1 << 25])
        .powers_of_two("blocks", 16..=1024)
        .list("threads", THREADS)
}

/// The job: an array, and its sum.
///
/// # Errors
/// If the space has no elements.
pub fn adaptive_job(key: &Point) -> Result<Job<Vec<u32>, Vec<u32>>> {
    key.u32("elements").map(sum)
}

/// The launch of Figure 13 whose sequential depth comes from the number of threads, and one block
/// for its sums.
///
/// # Errors
/// Where a kernel cannot be built.
pub fn adaptive_candidate(point: &Point) -> Result<Sums> {
    let (blocks, threads) = (point.u32("blocks")?, point.u32("threads")?);
    let each = point.u32("elements")? / blocks;
    let first = TypedKernel::build("adaptive", threads, |input: DPull<EU32>| {
        reductions::map_red8(threads, each, |a: EU32, b: EU32| a + b, input)
    })?;
    Ok(one_after_the_other(first, reduction(3, blocks, threads)?))
}

/// The sums of the blocks of one launch, reduced by another.
fn one_after_the_other(first: Kernel, second: Kernel) -> Sums {
    Candidate::new(move |device: &Device, input: &Buffer<u32>| {
        let sums = first.launch(device, input)?;
        second.launch(device, &sums)
    })
}
