//! Builds the five scans at all sizes and thread counts of the paper's Table 3, checks each, and
//! scans a large array.

use std::time::Instant;

use obsidian_rt::prelude::*;
use scan::{ELEMENTS, NAMES, THREADS, large_scan, scan};

fn main() -> obsidian_rt::Result<()> {
    table()?;
    large()
}

/// The sums of all beginnings.
fn reference(run: &[u32]) -> Vec<u32> {
    let step = |sum: &mut u32, x: &u32| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    };
    run.iter().scan(0, step).collect()
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
    println!(
        "elements         {}",
        ELEMENTS.map(|n| format!("{n:>11}")).concat()
    );
    let device = Device::simulator();
    let mut checked = 0;
    for (which, name) in (1..).zip(NAMES) {
        print!("{name:<17}");
        for n in ELEMENTS {
            let input = elements(2 * n as usize);
            let expected: Vec<u32> = input.chunks(n as usize).flat_map(reference).collect();
            let buffer = device.upload(&input)?;
            let mut cell = "too large".to_owned();
            for threads in THREADS {
                let Ok(kernel) = scan(which, n, threads) else {
                    continue;
                };
                let sums = kernel.launch(&device, &buffer)?.to_vec()?;
                assert_eq!(sums, expected, "{name} of {n} with {threads} threads");
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

/// A scan of many elements, in launches that leave everything on the device.
fn large() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    // The simulator goes through every thread: it gets fewer elements.
    let n = if device.name() == "simulator" {
        100_003
    } else {
        (1 << 24) + 7
    };
    let input = elements(n);
    let buffer = device.upload(&input)?;
    let start = Instant::now();
    let sums = large_scan(&device, &buffer)?;
    let time = start.elapsed();
    assert_eq!(
        sums.to_vec()?,
        reference(&input),
        "the scan of {n} elements"
    );
    println!(
        "scan of {n} elements on {}: as the sequential scan, {:.3} ms",
        device.name(),
        time.as_secs_f64() * 1e3
    );
    Ok(())
}
