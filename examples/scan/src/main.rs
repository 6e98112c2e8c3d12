//! Builds the five scans at all sizes and thread counts of the paper's Table 3, checks each, and
//! scans a large array in four ways.

use std::time::Instant;

use obsidian_rt::prelude::*;
use scan::{
    ELEMENTS, NAMES, RUN, RUN_TOGETHER, THREADS, held, large_scan, large_scan_exchanged,
    large_scan_held, large_scan_together, scan, scans, together,
};

/// A scan of any length: its name, and its launches.
type Large = (
    &'static str,
    fn(&Device, &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>>,
);

const LARGE: [Large; 4] = [
    ("Kogge-Stone", large_scan),
    ("by `inclusive_scan`", large_scan_together),
    ("held", large_scan_held),
    ("held and exchanged", large_scan_exchanged),
];

/// The last launch of a large scan: its name, and the elements of a run.
type Last = (
    &'static str,
    fn(&Device, &Buffer<u32>, &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>>,
    usize,
);

const LAST: [Last; 4] = [
    ("Kogge-Stone", scans::scan_after::launch, RUN),
    (
        "by `inclusive_scan`",
        together::scans_after::launch,
        RUN_TOGETHER,
    ),
    ("held", held::scans_held::launch, RUN_TOGETHER),
    (
        "held and exchanged",
        held::scans_exchanged::launch,
        RUN_TOGETHER,
    ),
];

fn main() -> obsidian_rt::Result<()> {
    table()?;
    last_launches()?;
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

/// What the warps ask for in the last launch of a large scan.
fn last_launches() -> obsidian_rt::Result<()> {
    let device = Device::simulator();
    let n = 4 * RUN_TOGETHER;
    let input = device.upload(&elements(n))?;
    println!("last launch, {n} elements: requests   sectors  instructions of warps");
    for (name, launch, run) in LAST {
        let totals: Vec<u32> = elements(n)
            .chunks(run)
            .map(|run| reference(run)[run.len() - 1])
            .collect();
        let totals = device.upload(&reference(&totals))?;
        let (sums, counts) = device.counted(|device| launch(device, &totals, &input))?;
        assert_eq!(sums.to_vec()?, reference(&elements(n)), "{name}");
        println!(
            "{name:<28} {:8} {:9} {:10}",
            counts.buffers.requests,
            counts.buffers.sectors,
            counts.instructions.total()
        );
    }
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
    let (buffer, expected) = (device.upload(&input)?, reference(&input));
    println!("scan of {n} elements on {}", device.name());
    for (name, scan) in LARGE {
        let start = Instant::now();
        let sums = scan(&device, &buffer)?;
        let time = start.elapsed();
        assert_eq!(sums.to_vec()?, expected, "the scan of {n} elements, {name}");
        println!(
            "{name:<20} as the sequential scan, {:9.3} ms",
            time.as_secs_f64() * 1e3
        );
    }
    Ok(())
}
