//! Bitonic sorting: threads sort 8 elements, warps merge to 256, blocks to 1,024, and further
//! launches merge the runs of blocks. Every network is one text, instantiated at the level that
//! executes it.

use obsidian_rt::prelude::*;

/// The networks.
#[kernels(built)]
pub mod networks {
    /// Compares each element with the one `distance` away in its piece of twice that, and puts the
    /// smaller one first.
    pub fn exchange(distance: u32, arr: Pull<EU32>) -> Pull<EU32> {
        let pieces = arr.split_up(2 * distance).map(|piece| {
            let (low, high) = piece.halve();
            append(
                zip_with(|a, b| a.min(b), low, high),
                zip_with(|a, b| a.max(b), low, high),
            )
        });
        pieces.concat(2 * distance)
    }

    /// Makes two sorted runs of `run` elements into two bitonic ones, all of the first no larger
    /// than all of the second: compares the first element of one with the last of the other, and so
    /// on.
    pub fn flip(run: u32, arr: Pull<EU32>) -> Pull<EU32> {
        let pieces = arr.split_up(2 * run).map(|piece| {
            let (low, high) = piece.halve();
            let high = high.reverse();
            append(
                zip_with(|a, b| a.min(b), low, high),
                zip_with(|a, b| a.max(b), low, high).reverse(),
            )
        });
        pieces.concat(2 * run)
    }

    /// Sorts bitonic runs of `2 * distance` elements: a stage for each power of two down from
    /// `distance`.
    pub fn merge<L: Compute>(distance: u32, arr: Pull<EU32>) -> Program<L, Pull<EU32>> {
        if distance == 0 {
            return pure(arr);
        }
        let arr = compute(exchange(distance, arr))?;
        merge::<L>(distance / 2, arr)
    }

    /// Merges sorted runs of `run` elements until all is one.
    pub fn merge_runs<L: Compute>(run: u32, arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        if run == arr.len() {
            return pure(arr.push());
        }
        let arr = compute(flip(run, arr))?;
        let arr = merge::<L>(run / 2, arr)?;
        merge_runs::<L>(2 * run, arr)
    }

    /// Sorts 1,024 elements: each thread 8, each warp 256, then the block.
    pub fn sort(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let arr = compute(
            arr.split_up(8)
                .as_block_map(|a| exec_thread(merge_runs::<Thread>(1, a))),
        )?;
        let arr = compute(
            arr.split_up(256)
                .as_block_map(|a| exec_warp(merge_runs::<Warp>(8, a))),
        )?;
        merge_runs::<Block>(256, arr)
    }

    /// Each run of 1,024 elements sorted, the last one maybe shorter.
    #[kernel(threads = 128)]
    pub fn sort_runs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(1024, lit(0xffff_ffffu32))
            .as_grid_map(|a| exec_block(sort(a)))
            .take(input.len())
    }

    /// An element for each of `n` numbers, in pieces of 1,024.
    pub fn each(n: EU32, f: impl Fn(EU32) -> EU32) -> DPush<Grid, EU32> {
        generate(n, f)
            .chunks(1024, lit(0u32))
            .as_grid_map(|a| a.push::<Block>())
            .take(n)
    }

    /// The smaller of two elements for the one in front, the larger for the other. What would lie
    /// behind the end is larger than all.
    pub fn compared(input: DPull<EU32>, i: EU32, other: EU32) -> EU32 {
        let there = select(other < input.len(), input[other], lit(0xffff_ffffu32));
        select(i < other, input[i].min(there), input[i].max(there))
    }

    /// `flip` of runs that are longer than a block sorts.
    #[kernel(threads = 256)]
    pub fn flip_runs(run: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        each(input.len(), |i| compared(input, i, i ^ (2 * run - 1)))
    }

    /// `exchange` at a distance that is too long for a block.
    #[kernel(threads = 256)]
    pub fn exchange_far(distance: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        each(input.len(), |i| compared(input, i, i ^ distance))
    }

    /// The last stages of a merge, from distance 512 down.
    #[kernel(threads = 128)]
    pub fn exchange_near(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let runs = input.chunks(1024, lit(0xffff_ffffu32));
        runs.as_grid_map(|a| exec_block(merge::<Block>(512, a)))
            .take(input.len())
    }
}

/// Elements that a block sorts.
pub const RUN: usize = 1024;

/// Sorts any number of elements. Nothing leaves the device between the launches.
///
/// # Errors
/// What a launch reports.
pub fn sort(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>> {
    let mut sorted = networks::sort_runs::launch(device, input)?;
    let mut run = RUN as u32;
    while u64::from(run) < input.len() as u64 {
        sorted = networks::flip_runs::launch(device, run, &sorted)?;
        let mut distance = run / 2;
        while distance >= RUN as u32 {
            sorted = networks::exchange_far::launch(device, distance, &sorted)?;
            distance /= 2;
        }
        sorted = networks::exchange_near::launch(device, &sorted)?;
        run = run.saturating_mul(2);
    }
    Ok(sorted)
}
