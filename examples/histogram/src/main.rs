//! Counts bytes in three ways, and sorts numbers by their lowest byte.

use std::time::Instant;

use histogram::{KEYS, counting, counting_sort};
use obsidian_rt::prelude::*;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// A histogram: its name, and its launch, which adds to bins.
type Histogram = (
    &'static str,
    fn(&Device, &mut Buffer<u32>, &Buffer<u32>) -> obsidian_rt::Result<()>,
);

const ALL: [Histogram; 3] = [
    ("bins of blocks first", counting::histogram::launch),
    ("bins of the device", counting::histogram_direct::launch),
    ("keys of a warp first", counting::histogram_by_lanes::launch),
];

fn main() -> obsidian_rt::Result<()> {
    collisions()?;
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
    for (name, launch) in ALL {
        let mut bins = device.zeros(KEYS)?;
        let start = Instant::now();
        launch(&device, &mut bins, &buffer)?;
        println!("{name:<22} {:9.3} ms", start.elapsed().as_secs_f64() * 1e3);
        assert_eq!(bins.to_vec()?, expected, "the histogram, {name}");
    }

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

/// What the warps ask for where all keys are equal, and where they differ.
fn collisions() -> obsidian_rt::Result<()> {
    let simulator = Device::simulator();
    println!("4096 keys on the simulator: instructions of warps, and atomic operations that wait");
    for (words, step) in [("equal keys", 0), ("other keys", 1)] {
        let keys: Vec<u32> = (0..4096).map(|i| i * step).collect();
        let keys = simulator.upload(&keys)?;
        for (name, launch) in ALL {
            let mut bins = simulator.zeros(KEYS)?;
            let (_, counts) = simulator.counted(|device| launch(device, &mut bins, &keys))?;
            println!(
                "{words}, {name:<22} {:6} {:6}",
                counts.instructions.total(),
                counts.shared.collisions + counts.buffers.collisions
            );
        }
    }
    Ok(())
}
