//! Counts bytes in two ways, and sorts numbers by their lowest byte.

use std::time::Instant;

use histogram::{KEYS, counting, counting_sort, histogram};
use obsidian_rt::prelude::*;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    // The simulator goes through every thread: it gets fewer elements.
    let n = if device.name() == "simulator" {
        50_001
    } else {
        4_000_001
    };
    let mut random = SmallRng::seed_from_u64(1);
    // Low keys are far more frequent, so that atomic operations meet.
    let keys: Vec<u32> = (0..n)
        .map(|_| random.random::<u32>() >> (24 + random.random::<u32>() % 8))
        .collect();
    let mut expected = vec![0u32; KEYS];
    keys.iter().for_each(|key| expected[*key as usize] += 1);
    let buffer = device.upload(&keys)?;

    println!("{n} keys on {}", device.name());
    let start = Instant::now();
    let bins = histogram(&device, &buffer)?;
    println!(
        "bins of blocks first   {:9.3} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    assert_eq!(bins.to_vec()?, expected, "the histogram");

    let mut bins = device.zeros(KEYS)?;
    let start = Instant::now();
    counting::histogram_direct::launch(&device, &mut bins, &buffer)?;
    println!(
        "bins of the device     {:9.3} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    assert_eq!(bins.to_vec()?, expected, "the histogram");

    let values: Vec<u32> = (0..n as u32).collect();
    let values = device.upload(&values)?;
    let start = Instant::now();
    let sorted = counting_sort(&device, &buffer, &values)?;
    println!(
        "counting sort          {:9.3} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    let mut sorted = sorted.to_vec()?;
    assert!(
        sorted.is_sorted_by_key(|value| keys[*value as usize]),
        "the values are in the order of their keys"
    );
    sorted.sort_unstable();
    assert!(
        sorted.into_iter().eq(0..n as u32),
        "every value is there once"
    );
    println!("all right; keys 0 to 7 occur {:?} times", &expected[..8]);
    Ok(())
}
