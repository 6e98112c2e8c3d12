//! Sorts arrays of several lengths, and compares them with the standard library's sort.

use std::time::Instant;

use obsidian_rt::prelude::*;
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use sorting::{networks, sort};

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    for kernel in [
        networks::sort_runs::kernel(),
        networks::exchange_near::kernel(),
    ] {
        println!(
            "{:14} {} bytes of shared memory, {} barriers",
            kernel.name(),
            kernel.shared_bytes(),
            kernel.barriers()
        );
    }
    let mut random = SmallRng::seed_from_u64(1);
    println!("  elements        ms");
    for n in [0, 1, 1000, 1024, 5000, 65_537, 1_000_003] {
        // The simulator goes through every thread: it gets fewer elements.
        if device.name() == "simulator" && n > 10_000 {
            continue;
        }
        let mut elements: Vec<u32> = (0..n).map(|_| random.random()).collect();
        let buffer = device.upload(&elements)?;
        let start = Instant::now();
        let sorted = sort(&device, &buffer)?;
        let time = start.elapsed();
        elements.sort_unstable();
        assert_eq!(sorted.to_vec()?, elements, "{n} elements");
        println!("{n:10} {:9.3}", time.as_secs_f64() * 1e3);
    }
    println!("sorted on {}, as the standard library does", device.name());
    Ok(())
}
