//! Scans: of sums, and of affine maps, whose composition is associative and not commutative.

use obsidian_rt::prelude::*;
use scan::scans;
use statistics::runs;

use super::data::{numbers, running_sums, runs_of};
use super::{Check, Wrong, any, of_numbers, same};

/// A check of scans of affine maps in runs.
macro_rules! of_maps {
    ($name:literal, $launch:path, $run:literal) => {
        Check {
            name: $name,
            lengths: || runs_of($run),
            run: |device, n| {
                let (factors, terms) = maps(n);
                let (a, b) = $launch(device, (&device.upload(&factors)?, &device.upload(&terms)?))?;
                let (expected_a, expected_b) = composed(&factors, &terms, $run);
                same(&a.to_vec()?, &expected_a)?;
                same(&b.to_vec()?, &expected_b)
            },
        }
    };
}

pub(super) const CHECKS: &[Check] = &[
    of_maps!("scan: sklansky1_256", scans::sklansky1_256::launch, 256),
    of_maps!("scan: sklansky2_256", scans::sklansky2_256::launch, 256),
    of_maps!("scan: sklansky3_256", scans::sklansky3_256::launch, 256),
    of_maps!("scan: kogge_stone_256", scans::kogge_stone_256::launch, 256),
    of_maps!(
        "scan: kogge_stone_push_256",
        scans::kogge_stone_push_256::launch,
        256
    ),
    of_maps!("scan: kogge_stone_100", scans::kogge_stone_100::launch, 100),
    of_maps!(
        "scan: kogge_stone_push_100",
        scans::kogge_stone_push_100::launch,
        100
    ),
    Check {
        name: "scan: chain_of_sklansky",
        lengths: || runs_of(256),
        run: |device, n| {
            of_numbers(device, n, scans::chain_of_sklansky::launch, |input| {
                sums_in_runs(input, 256)
            })
        },
    },
    of_maps!(
        "scan: chain_of_sklansky2",
        scans::chain_of_sklansky2::launch,
        96
    ),
    of_maps!(
        "scan: chain_of_kogge_stone",
        scans::chain_of_kogge_stone::launch,
        150
    ),
    of_maps!(
        "scan: late_chain_of_kogge_stone",
        scans::late_chain_of_kogge_stone::launch,
        150
    ),
    Check {
        name: "scan: large_scan",
        lengths: any,
        run: |device, n| of_numbers(device, n, scan::large_scan, running_sums),
    },
    Check {
        name: "scan: large_scan_together",
        lengths: any,
        run: |device, n| of_numbers(device, n, scan::large_scan_together, running_sums),
    },
    Check {
        name: "scan: large_scan_together, recorded",
        lengths: any,
        run: recorded,
    },
    Check {
        name: "scan: large_scan_held",
        lengths: any,
        run: |device, n| of_numbers(device, n, scan::large_scan_held, running_sums),
    },
    Check {
        name: "scan: large_scan_exchanged",
        lengths: any,
        run: |device, n| of_numbers(device, n, scan::large_scan_exchanged, running_sums),
    },
    Check {
        name: "statistics: totals",
        lengths: || runs_of(1024),
        run: |device, n| {
            of_numbers(device, n, runs::totals::launch, |input| {
                sums_in_runs(input, 1024)
            })
        },
    },
];

/// The launches of a scan of any length, written down once and done for two inputs.
fn recorded(device: &Device, n: usize) -> Result<(), Wrong> {
    let (input, output) = (device.upload(&numbers(n))?, device.zeros(n)?);
    let mut buffers = (input, output);
    let mut recording = device.record(&buffers, |device, (input, output)| {
        output.copy_from_buffer(&scan::large_scan_together(device, input)?)
    })?;
    for first in [0, 7] {
        let input: Vec<u32> = numbers(n + first).split_off(first);
        buffers.0.copy_from(&input)?;
        recording.replay(&mut buffers)?;
        same(&buffers.1.to_vec()?, &running_sums(&input))?;
    }
    Ok(())
}

/// Factors and terms of `n` maps.
fn maps(n: usize) -> (Vec<u32>, Vec<u32>) {
    let numbers = numbers(n);
    (
        numbers.iter().map(|x| x | 1).collect(),
        numbers.iter().map(|x| x.rotate_left(7)).collect(),
    )
}

/// The maps of each run one after another, from its first to every one.
fn composed(factors: &[u32], terms: &[u32], run: usize) -> (Vec<u32>, Vec<u32>) {
    let mut done = (1u32, 0u32);
    let step = |i: usize| {
        if i.is_multiple_of(run) {
            done = (1, 0);
        }
        done = (
            done.0.wrapping_mul(factors[i]),
            done.1.wrapping_mul(factors[i]).wrapping_add(terms[i]),
        );
        done
    };
    (0..factors.len()).map(step).unzip()
}

/// The sums of all beginnings of each run.
fn sums_in_runs(input: &[u32], run: usize) -> Vec<u32> {
    input.chunks(run).flat_map(running_sums).collect()
}
