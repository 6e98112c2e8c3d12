//! Reductions.

use obsidian_rt::prelude::*;
use quickstart::sums;
use reduction::reductions;
use statistics::runs;

use super::data::{numbers, run_sums, runs_of};
use super::{Check, Wrong, any, of_numbers, same};

/// A check of sums of runs.
macro_rules! of_runs {
    ($name:literal, $launch:path, $run:literal) => {
        Check {
            name: $name,
            lengths: || runs_of($run),
            run: |device, n| of_numbers(device, n, $launch, |input| run_sums(input, $run)),
        }
    };
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "quickstart: reductions",
        lengths: || runs_of(512),
        run: signed,
    },
    of_runs!("quickstart: chunk_sums", sums::chunk_sums::launch, 4096),
    of_runs!("reduction: map_red1", reductions::map_red1::launch, 512),
    of_runs!("reduction: map_red2", reductions::map_red2::launch, 512),
    of_runs!("reduction: map_red3", reductions::map_red3::launch, 512),
    of_runs!("reduction: map_red4", reductions::map_red4::launch, 512),
    of_runs!("reduction: map_red5", reductions::map_red5::launch, 512),
    of_runs!("reduction: map_red6", reductions::map_red6::launch, 512),
    of_runs!("reduction: map_red7", reductions::map_red7::launch, 512),
    of_runs!(
        "reduction: map_red_of_480",
        reductions::map_red_of_480::launch,
        480
    ),
    Check {
        name: "reduction: sums_and_maxima",
        lengths: || runs_of(256),
        run: sums_and_maxima,
    },
    Check {
        name: "reduction: sums_of_runs",
        lengths: any,
        run: |device, n| {
            of_numbers(device, n, reductions::sums_of_runs::launch, |input| {
                run_sums(input, reduction::RUN)
            })
        },
    },
    Check {
        name: "reduction: large_sum",
        lengths: any,
        run: large_sum,
    },
    Check {
        name: "reduction: large_sum_together",
        lengths: any,
        run: |device, n| {
            let input = numbers(n);
            let sum = reduction::large_sum_together(device, &device.upload(&input)?)?;
            same(&[sum], &[input.iter().copied().fold(0, u32::wrapping_add)])
        },
    },
    Check {
        name: "reduction: large_sum_in_tiles",
        lengths: around_pieces,
        run: |device, n| {
            let input = numbers(n);
            let sum = reduction::large_sum_in_tiles(device, &device.upload(&input)?)?;
            same(&[sum], &[input.iter().copied().fold(0, u32::wrapping_add)])
        },
    },
    Check {
        name: "reduction: sums_of_float_pieces",
        lengths: around_pieces,
        run: |device, n| {
            let input: Vec<f32> = numbers(n)
                .into_iter()
                .map(|x| (x % 100_003) as f32 / 700.0)
                .collect();
            let sums =
                reduction::in_tiles::sums_of_float_pieces::launch(device, &device.upload(&input)?)?;
            same(&sums.to_vec()?, &reduction::sums_of_float_pieces(&input))
        },
    },
    Check {
        name: "reduction: sums_of_floats",
        lengths: any,
        run: sums_of_floats,
    },
    Check {
        name: "statistics: summary",
        lengths: || runs_of(1024),
        run: summary,
    },
];

/// Any length, whole pieces and tiles among them.
fn around_pieces() -> Vec<usize> {
    let mut lengths = any();
    lengths.extend([
        reduction::PIECE - 1,
        reduction::PIECE,
        2 * reduction::PIECE + 4097,
    ]);
    lengths
}

fn signed(device: &Device, n: usize) -> Result<(), Wrong> {
    let input: Vec<i32> = numbers(n).into_iter().map(u32::cast_signed).collect();
    let sums = sums::reductions::launch(device, &device.upload(&input)?)?.to_vec()?;
    let expected: Vec<i32> = input
        .chunks(512)
        .map(|run| run.iter().copied().fold(0, i32::wrapping_add))
        .collect();
    same(&sums, &expected)
}

fn sums_and_maxima(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let floats: Vec<f32> = input
        .iter()
        .map(|x| (x % 100_003) as f32 - 50_000.5)
        .collect();
    let (sums, maxima) = reductions::sums_and_maxima::launch(
        device,
        &device.upload(&input)?,
        &device.upload(&floats)?,
    )?;
    same(&sums.to_vec()?, &run_sums(&input, 256))?;
    let expected: Vec<f32> = floats
        .chunks(256)
        .map(|run| run.iter().copied().fold(f32::MIN, f32::max))
        .collect();
    same(&maxima.to_vec()?, &expected)
}

fn large_sum(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let sum = reduction::large_sum(device, &device.upload(&input)?)?;
    same(&[sum], &[input.iter().copied().fold(0, u32::wrapping_add)])
}

/// Rows of 16 neighbours from the left, and the rows in a balanced tree: to the bit.
fn sums_of_floats(device: &Device, n: usize) -> Result<(), Wrong> {
    let input: Vec<f32> = numbers(n)
        .into_iter()
        .map(|x| (x % 100_003) as f32 / 700.0)
        .collect();
    let sums = reduction::together::sums_of_floats::launch(device, &device.upload(&input)?)?;
    let expected: Vec<f32> = input
        .chunks(reduction::RUN)
        .map(|run| {
            let mut run = run.to_vec();
            run.resize(reduction::RUN, 0.0);
            let fold = |row: &[f32]| row.iter().copied().reduce(|a, b| a + b).unwrap_or(0.0);
            let mut rows: Vec<f32> = run.chunks(16).map(fold).collect();
            while rows.len() > 1 {
                rows = rows.chunks(2).map(fold).collect();
            }
            rows[0]
        })
        .collect();
    same(&sums.to_vec()?, &expected)
}

fn summary(device: &Device, n: usize) -> Result<(), Wrong> {
    let input = numbers(n);
    let (sums, least, largest) = runs::summary::launch(device, &device.upload(&input)?)?;
    same(&sums.to_vec()?, &run_sums(&input, 1024))?;
    let of_runs = |f: fn(u32, u32) -> u32| {
        input
            .chunks(1024)
            .filter_map(|run| run.iter().copied().reduce(f))
            .collect::<Vec<_>>()
    };
    same(&least.to_vec()?, &of_runs(u32::min))?;
    same(&largest.to_vec()?, &of_runs(u32::max))
}
