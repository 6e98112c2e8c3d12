//! Builds the seven reductions at all sizes and thread counts of the paper's Table 2, checks each,
//! and sums a large array in three ways.

use std::time::Instant;

use obsidian_rt::prelude::*;
use reduction::{ELEMENTS, THREADS, large_sum, large_sum_in_tiles, large_sum_together, reduction};

/// A sum of any length: its name, and its launches.
type Sum = (
    &'static str,
    fn(&Device, &Buffer<u32>) -> obsidian_rt::Result<u32>,
);

const SUMS: [Sum; 3] = [
    ("reduction 5", large_sum),
    ("by `reduce`", large_sum_together),
    ("in tiles", large_sum_in_tiles),
];

fn main() -> obsidian_rt::Result<()> {
    table()?;
    large()
}

/// The sum of a run, one element after another.
fn reference(run: &[u32]) -> u32 {
    run.iter().copied().fold(0, u32::wrapping_add)
}

/// `n` elements that wrap when they are added up.
fn elements(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1)).collect()
}

/// Bytes of shared memory and waits of each kernel and size; every thread count is built and run.
fn table() -> obsidian_rt::Result<()> {
    println!(
        "shared bytes / places where a block waits, at 32 to 1,024 threads, each checked on the simulator"
    );
    println!("elements {}", ELEMENTS.map(|n| format!("{n:>11}")).concat());
    let device = Device::simulator();
    let mut checked = 0;
    for which in 1..=7 {
        print!("red{which}     ");
        for n in ELEMENTS {
            let input = elements(2 * n as usize);
            let expected: Vec<u32> = input.chunks(n as usize).map(reference).collect();
            let buffer = device.upload(&input)?;
            let mut cell = "too large".to_owned();
            for threads in THREADS {
                let Ok(kernel) = reduction(which, n, threads) else {
                    continue;
                };
                let sums = kernel.launch(&device, &buffer)?.to_vec()?;
                assert_eq!(sums, expected, "red{which} of {n} with {threads} threads");
                checked += 1;
                cell = format!(
                    "{} / {}",
                    kernel.kernel().shared_bytes(),
                    kernel.kernel().barriers()
                );
            }
            print!("{cell:>11}");
        }
        println!();
    }
    println!("{checked} kernels, all right");
    Ok(())
}

/// A sum of many elements, in launches that leave everything on the device.
fn large() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    // The simulator goes through every thread: it gets fewer elements.
    let n = if device.name() == "simulator" {
        1_000_003
    } else {
        1 << 24
    };
    let input = elements(n);
    let buffer = device.upload(&input)?;
    println!("sum of {n} elements on {}", device.name());
    for (name, sum) in SUMS {
        let start = Instant::now();
        let sum = sum(&device, &buffer)?;
        let time = start.elapsed();
        assert_eq!(sum, reference(&input), "the sum of {n} elements, {name}");
        println!(
            "{name:<14} {sum}, as the sequential sum, {:9.3} ms",
            time.as_secs_f64() * 1e3
        );
    }
    Ok(())
}
