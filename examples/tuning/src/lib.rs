//! Sums of runs in twelve variants, of which a tuned file chooses one for each device and size.

use obsidian_rt::explore::{Candidate, Explore, Explored, Gpu, Job, Objective, Point, Space};
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

    /// The sum of each run of [`RUN`] elements. A thread adds up `seq` of them before it shares
    /// anything; `apart` says whether these lie apart, so that neighbouring threads read
    /// neighbours, or side by side.
    #[kernel(threads = [64, 128], apart = [false, true], seq = [2, 8, 32], tuned = "tuned.txt")]
    pub fn run_sums(apart: bool, seq: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(RUN).as_grid_map(|run| {
            let shares = if apart {
                run.coalesce(seq)
            } else {
                run.split_up(seq)
            };
            exec_block(sum_of_sums(shares))
        })
    }

    fn sum_of_sums(shares: Pull<Pull<EU32>>) -> Program<Block, Push<Block, EU32>> {
        let sums = compute(
            shares.as_block_map(|share| exec_thread_value(seq_reduce(|x, y| x + y, share))),
        )?;
        sum(sums)
    }
}

/// The GPU for which the simulator's counts become seconds.
pub const GPU: &str = "h200";

/// Numbers of runs that are tuned for.
pub const RUNS: [u32; 3] = [1, 8, 32];

/// Tries every variant on each number of [`RUNS`], on Unix in worker processes: the program that calls this is started again, with the same arguments. What is compared is the time on the device; on the
/// simulator, which has none, it is the time that is predicted for [`GPU`], with the registers of the best as a compiler says, where there is one.
///
/// # Errors
/// What a device reports that can run none of them. What is wrong with a variant is its outcome.
pub fn explore(device: &Device) -> Result<Explored, Error> {
    let objective = match device.name() {
        "simulator" => Objective::predicted(Gpu::named(GPU)?),
        _ => Objective::measured(device.clone()),
    };
    let variants = sums::run_sums::variants();
    let space = Space::of_variants(variants).given("runs", RUNS);
    let job = |key: &Point| {
        Ok(Job::new(elements(key.u32("runs")?), |input| {
            reference(input)
        }))
    };
    let explore = Explore::by_key(space, objective, job, |point| {
        let variant = point.variant(variants)?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                sums::run_sums::launch_variant(variant, device, input)
            },
        ))
    });
    // A variant that crashes or never ends costs one variant.
    #[cfg(unix)]
    let explore = explore.isolated();
    explore.compiled().run()
}

/// The elements of so many runs; neighbours differ, and sums wrap.
pub fn elements(runs: u32) -> Vec<u32> {
    (0..runs * sums::RUN)
        .map(|i| i.wrapping_mul(0x9E37_79B1))
        .collect()
}

/// The sums of runs in plain Rust.
pub fn reference(elements: &[u32]) -> Vec<u32> {
    elements
        .chunks(sums::RUN as usize)
        .map(|run| run.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}
