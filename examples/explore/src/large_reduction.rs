//! Large reductions in two launches (section 7.1): the paper's Table 4, and the adaptive kernel of
//! its Figure 13.

use obsidian_rt::TypedKernel;
use obsidian_rt::explore::{Candidate, Point, Space};
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use reduction::{THREADS, reduction, reductions};

use crate::reduction::{NAMES, number};

/// Blocks of the first launch in Table 4, and the elements of each.
const BLOCKS: u32 = 4096;

type Kernel = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

/// Table 4: the 42 points. 2^24 elements in 4,096 blocks, and their 4,096 sums in one block of the
/// same kernel.
pub fn space() -> Space {
    Space::new()
        .choice("kernel", NAMES)
        .list("threads", THREADS)
}

/// Both launches of Table 4.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn candidate(point: &Point) -> obsidian_rt::Result<Candidate> {
    let kernel = reduction(number(point)?, BLOCKS, point.u32("threads")?)?;
    Ok(reduce(kernel.clone(), BLOCKS, BLOCKS).then(reduce(kernel, 1, BLOCKS)))
}

/// Figure 13: the 126 points of three sizes.
pub fn adaptive_space() -> Space {
    Space::new()
        .list("elements", [1 << 23, 1 << 24, 1 << 25])
        .powers_of_two("blocks", 16..=1024)
        .list("threads", THREADS)
}

/// The launch of Figure 13 whose sequential depth comes from the number of threads, and one block
/// for its sums.
///
/// # Errors
/// Where a kernel cannot be built.
pub fn adaptive_candidate(point: &Point) -> obsidian_rt::Result<Candidate> {
    let (blocks, threads) = (point.u32("blocks")?, point.u32("threads")?);
    let each = point.u32("elements")? / blocks;
    let first = TypedKernel::build("adaptive", threads, |input: DPull<EU32>| {
        reductions::map_red8(threads, each, |a: EU32, b: EU32| a + b, input)
    })?;
    Ok(reduce(first, blocks, each).then(reduce(reduction(3, blocks, threads)?, 1, blocks)))
}

/// A launch of so many blocks, each of which reduces so many elements.
fn reduce(kernel: Kernel, blocks: u32, elements: u32) -> Candidate {
    let input = move |blocks| crate::elements(blocks * u64::from(elements));
    Candidate::of(kernel, blocks.into(), input, move |input| {
        crate::sums(elements as usize, input)
    })
}
