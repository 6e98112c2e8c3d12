//! Runs the sums, checks them, and prints what a launch costs.

use std::time::Instant;

use obsidian_rt::prelude::*;
use quickstart::{large_sum, sums};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    let kernel = sums::reductions::kernel();
    if let Some(file) = kernel.cuda_file() {
        println!("CUDA text       {}", file.display());
    }
    println!(
        "shared memory   {} bytes a block, {} barriers, {} threads",
        kernel.shared_bytes(),
        kernel.barriers(),
        kernel.threads()
    );

    let input = device.upload(&(0..1024).collect::<Vec<i32>>())?;
    println!("{:?}", sums::reductions::launch(&device, &input)?.to_vec()?);

    // Two virtual blocks, done one after the other by a single real one, give the same.
    let one = sums::reductions::launch(&device.with_blocks(1), &input)?.to_vec()?;
    assert_eq!(one, [130816, 392960], "one real block");

    // The simulator goes through every thread: it gets fewer elements.
    let length = if device.name() == "simulator" {
        1 << 18
    } else {
        1 << 24
    };
    let mut random = SmallRng::seed_from_u64(1);
    let elements: Vec<u32> = (0..length).map(|_| random.random()).collect();
    let expected = elements.iter().copied().fold(0, u32::wrapping_add);
    let input = device.upload(&elements)?;
    let mut times = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        let total = large_sum(&device, &input)?;
        times.push(start.elapsed().as_secs_f64());
        assert_eq!(total, expected, "the sum of {length} elements");
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let rate = length as f64 * 4.0 / median / 1e9;
    println!(
        "sum of {length} random u32 = {expected}, as the sequential sum: {}, {:.3} ms, {rate:.2} GB/s",
        device.name(),
        median * 1e3
    );
    // Such as a kernel for which this machine has no compiler.
    device
        .warnings()
        .iter()
        .for_each(|warning| eprintln!("warning: {warning}"));
    Ok(())
}
