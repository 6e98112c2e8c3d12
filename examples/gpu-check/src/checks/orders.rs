//! Sorting, counting, and putting in place.

use histogram::counting;
use obsidian_rt::prelude::*;

use super::data::numbers;
use super::{Check, Wrong, any, of_numbers, same};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "sorting: sort",
        lengths: any,
        run: sort,
    },
    Check {
        name: "histogram: histogram",
        lengths: any,
        run: histogram,
    },
    Check {
        name: "histogram: histogram_direct",
        lengths: any,
        run: histogram_direct,
    },
    Check {
        name: "histogram: histogram_by_lanes",
        lengths: any,
        run: histogram_by_lanes,
    },
    Check {
        name: "histogram: counting_sort",
        lengths: any,
        run: counting_sort,
    },
];

fn sort(device: &Device, n: usize) -> Result<(), Wrong> {
    // Few different numbers among many, so that equal ones meet.
    let mut input: Vec<u32> = numbers(n)
        .into_iter()
        .map(|x| if n > 2000 { x % 1009 } else { x })
        .collect();
    let sorted = sorting::sort(device, &device.upload(&input)?)?.to_vec()?;
    input.sort_unstable();
    same(&sorted, &input)
}

/// How often each key modulo 256 is there.
fn counts(keys: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; histogram::KEYS];
    keys.iter()
        .for_each(|key| counts[*key as usize % histogram::KEYS] += 1);
    counts
}

fn histogram(device: &Device, n: usize) -> Result<(), Wrong> {
    of_numbers(device, n, histogram::histogram, counts)
}

fn histogram_direct(device: &Device, n: usize) -> Result<(), Wrong> {
    let direct = |device: &Device, keys: &Buffer<u32>| {
        let mut bins = device.zeros(histogram::KEYS)?;
        counting::histogram_direct::launch(device, &mut bins, keys).map(|()| bins)
    };
    of_numbers(device, n, direct, counts)
}

/// Few different keys, so that lanes have the same.
fn histogram_by_lanes(device: &Device, n: usize) -> Result<(), Wrong> {
    let keys: Vec<u32> = numbers(n).into_iter().map(|x| x & 0x8000_00c7).collect();
    let mut bins = device.zeros(histogram::KEYS)?;
    counting::histogram_by_lanes::launch(device, &mut bins, &device.upload(&keys)?)?;
    same(&bins.to_vec()?, &counts(&keys))
}

/// The values are their places in the input: keys in order, and each value once.
fn counting_sort(device: &Device, n: usize) -> Result<(), Wrong> {
    let keys: Vec<u32> = numbers(n)
        .into_iter()
        .map(|x| x % histogram::KEYS as u32)
        .collect();
    let values: Vec<u32> = (0..n as u32).collect();
    let mut sorted =
        histogram::counting_sort(device, &device.upload(&keys)?, &device.upload(&values)?)?
            .to_vec()?;
    let mut ordered = keys.clone();
    ordered.sort_unstable();
    let found: Vec<u32> = sorted
        .iter()
        .filter_map(|value| keys.get(*value as usize).copied())
        .collect();
    same(&found, &ordered)?;
    sorted.sort_unstable();
    same(&sorted, &values)
}
