//! Scans: of sums, and of affine maps, whose composition is associative and not commutative.

use obsidian_rt::prelude::*;
use scan::scans;
use statistics::runs;

use super::data::{numbers, running_sums, runs_of};
use super::{Check, Wrong, any, same};

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
    of_maps!("scan: kogge_stone_push_256", scans::kogge_stone_push_256::launch, 256),
    of_maps!("scan: kogge_stone_100", scans::kogge_stone_100::launch, 100),
    of_maps!("scan: kogge_stone_push_100", scans::kogge_stone_push_100::launch, 100),
    Check { name: "scan: chain_of_sklansky", lengths: || runs_of(256), run: chain },
    of_maps!("scan: chain_of_sklansky2", scans::chain_of_sklansky2::launch, 96),
    of_maps!("scan: chain_of_kogge_stone", scans::chain_of_kogge_stone::launch, 150),
    of_maps!("scan: late_chain_of_kogge_stone", scans::late_chain_of_kogge_stone::launch, 150),
    Check { name: "scan: large_scan", lengths: any, run: large_scan },
    Check { name: "statistics: totals", lengths: || runs_of(1024), run: totals },
];

/// Factors and terms of `n` maps.
fn maps(n: usize) -> (Vec<u32>, Vec<u32>) {
    let numbers = numbers(n);
    (numbers.iter().map(|x| x | 1).collect(), numbers.iter().map(|x| x.rotate_left(7)).collect())
}

/// The maps of each run one after another, from its first to every one.
fn composed(factors: &[u32], terms: &[u32], run: usize) -> (Vec<u32>, Vec<u32>) {
    let mut done = (1u32, 0u32);
    let step = |i: usize| {
        if i.is_multiple_of(run) {
            done = (1, 0);
        }
        done = (done.0.wrapping_mul(factors[i]), done.1.wrapping_mul(factors[i]).wrapping_add(terms[i]));
        done
    };
    (0..factors.len()).map(step).unzip()
}

fn chain(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let sums = scans::chain_of_sklansky::launch(device, &device.upload(&input)?)?.to_vec()?;
    same(&sums, &input.chunks(256).flat_map(running_sums).collect::<Vec<_>>())
}

fn large_scan(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let sums = scan::large_scan(device, &device.upload(&input)?)?.to_vec()?;
    same(&sums, &running_sums(&input))
}

fn totals(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let sums = runs::totals::launch(device, &device.upload(&input)?)?.to_vec()?;
    same(&sums, &input.chunks(1024).flat_map(running_sums).collect::<Vec<_>>())
}
