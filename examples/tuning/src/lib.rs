//! Sums of runs in twelve variants, of which a tuned file chooses one for each device and size.

use obsidian_rt::prelude::*;

/// The sums.
#[kernels(built)]
pub mod sums {
    /// Elements of a run.
    pub const RUN: u32 = 2048;

    /// Tree reduction; the length is a power of two.
    pub fn sum(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(|x, y| x + y, a, b))?;
        sum(arr)
    }

    /// The sum of each run of [`RUN`] elements. A thread adds up `seq` of them before it shares anything; `apart` says whether these lie
    /// apart, so that neighbouring threads read neighbours, or side by side.
    #[kernel(threads = [64, 128], apart = [false, true], seq = [2, 8, 32], tuned = "tuned.txt")]
    pub fn run_sums(apart: bool, seq: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(RUN).as_grid_map(|run| {
            let shares = if apart { run.coalesce(seq) } else { run.split_up(seq) };
            exec_block(sum_of_sums(shares))
        })
    }

    fn sum_of_sums(shares: Pull<Pull<EU32>>) -> Program<Block, Push<Block, EU32>> {
        let sums = compute(shares.as_block_map(|share| exec_thread_value(seq_reduce(|x, y| x + y, share))))?;
        sum(sums)
    }
}

/// The cost of launching a variant once, the less the better: seconds, or on the simulator what the GPU would be asked for, which is
/// the sectors of buffers, the passes of shared memory and the instructions of warps.
///
/// # Errors
/// What the launch gives.
pub fn cost(variant: &'static Variant, device: &Device, input: &Buffer<u32>) -> Result<f64, Error> {
    if device.name() == "simulator" {
        let (_, counts) = device.counted(|device| sums::run_sums::launch_variant(variant, device, input))?;
        let passes = counts.shared.requests + counts.shared.bank_conflicts;
        return Ok((counts.buffers.sectors + passes + counts.instructions.total()) as f64);
    }
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = std::time::Instant::now();
        sums::run_sums::launch_variant(variant, device, input)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
