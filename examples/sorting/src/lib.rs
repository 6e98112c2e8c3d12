//! Bitonic sorting: threads sort 8 elements, warps merge to 256, blocks to 1,024, and further
//! launches merge the runs of blocks. Every network is one text, instantiated at the level that
//! executes it.

use std::mem::swap;

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

    /// The highest bit of a number.
    fn top(n: u32) -> u32 {
        if n < 2 { n } else { 2 * top(n / 2) }
    }

    /// Compares each element with the one whose index differs from its own in all bits of `bits`, and puts
    /// the smaller one first.
    fn compared_across(bits: u32, arr: Pull<EU32>) -> Pull<EU32> {
        generate(arr.len(), |i| {
            let (own, other) = (arr[i], arr[i ^ bits]);
            // The smaller one, or where the highest bit is set the larger one. A bit of 16 and more is one of
            // the lane, the same for all elements of a thread.
            let is_second = if bits < 16 {
                (i & top(bits)) != 0
            } else {
                ((i / 16) & (top(bits) / 16)) != 0
            };
            select((own < other) ^ is_second, own, other)
        })
    }

    /// `merge` in registers: a lane has 16 neighbours, and takes others from the lanes that have them.
    fn merge_by_lanes(distance: u32, arr: Pull<EU32>) -> Program<Warp, Pull<EU32>> {
        if distance == 0 {
            return pure(arr);
        }
        let arr = hold_as(Blocked(16), compared_across(distance, arr))?;
        merge_by_lanes(distance / 2, arr)
    }

    /// `merge_runs` in registers.
    fn merge_runs_by_lanes(run: u32, arr: Pull<EU32>) -> Program<Warp, Pull<EU32>> {
        if run == arr.len() {
            return pure(arr);
        }
        let arr = hold_as(Blocked(16), compared_across(2 * run - 1, arr))?;
        let arr = merge_by_lanes(run / 2, arr)?;
        merge_runs_by_lanes(2 * run, arr)
    }

    /// What the lanes hold, each its 16 neighbours.
    fn by_lanes(arr: Pull<EU32>) -> Push<Warp, EU32> {
        arr.split_up(16)
            .as_warp_map(|own| exec_thread(pure(own.push())))
    }

    fn sort_by_lanes(arr: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let arr = hold_as(Blocked(16), arr)?;
        let arr = merge_runs_by_lanes(1, arr)?;
        pure(by_lanes(arr))
    }

    /// Two elements of a stage of the block, `bits` apart, and the stages of a warp behind it.
    fn merge_in_warp(bits: u32, arr: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        let pieces = compared_across(bits, arr).split_up(512);
        let merged = |piece: Pull<EU32>| {
            let arr = hold_as(Blocked(16), piece)?;
            let arr = merge_by_lanes(256, arr)?;
            pure(by_lanes(arr))
        };
        compute_as(
            Pitch(33),
            pieces.as_block_map(|piece| exec_warp(merged(piece))),
        )
    }

    /// `sort` with 16 elements of a thread in registers. Shared memory is for what warps exchange.
    pub fn sort_held(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let arr = compute_as(Pitch(33), arr)?;
        let runs = arr
            .split_up(512)
            .as_block_map(|piece| exec_warp(sort_by_lanes(piece)));
        let arr = compute_as(Pitch(33), runs)?;
        let arr = merge_in_warp(1023, arr)?;
        pure(arr.push())
    }

    /// `sort_runs` in registers.
    #[kernel(threads = 64, min_blocks = 8)]
    pub fn sort_runs_held(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(1024, lit(0xffff_ffffu32))
            .as_grid_map(|a| exec_block(sort_held(a)))
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

/// Sorts any number of elements. Nothing leaves the device between the launches, which write to two buffers in turn.
///
/// # Errors
/// What a launch reports.
pub fn sort(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>> {
    let mut sorted = networks::sort_runs::launch(device, input)?;
    if input.len() <= RUN {
        return Ok(sorted);
    }
    let mut next = device.zeros(input.len())?;
    let mut run = RUN as u32;
    while u64::from(run) < input.len() as u64 {
        networks::flip_runs::launch_into(device, run, &sorted, &mut next)?;
        swap(&mut sorted, &mut next);
        let mut distance = run / 2;
        while distance >= RUN as u32 {
            networks::exchange_far::launch_into(device, distance, &sorted, &mut next)?;
            swap(&mut sorted, &mut next);
            distance /= 2;
        }
        networks::exchange_near::launch_into(device, &sorted, &mut next)?;
        swap(&mut sorted, &mut next);
        run = run.saturating_mul(2);
    }
    Ok(sorted)
}
