//! One dialect: kernels that a program builds while it runs call the functions of `#[kernels]` modules, with values, types and levels that
//! no `#[kernel]` has asked for, and get the text that the macro prints for them.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::TypedKernel;
use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
use obsidian_rt::language::{DPull, DPush, EF32, EI64, EU32, Grid};
use obsidian_rt::prelude::*;

#[kernels]
mod shapes {
    /// A reduction at any level, of any type, by any operator: each step halves the array.
    pub fn halved<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (low, high) = arr.halve();
        let sums = compute(zip_with(f, low, high))?;
        halved(f, sums)
    }

    /// The sum of a piece, `share` elements of it by a thread.
    pub fn of_piece(
        share: u32,
        near: bool,
        piece: Pull<EU32>,
    ) -> Program<Block, Push<Block, EU32>> {
        let shares = if near {
            piece.split_up(share)
        } else {
            piece.coalesce(share)
        };
        let own =
            compute(shares.as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own))))?;
        halved(|a, b| a + b, own)
    }

    /// Runs of `run` elements, `share` of them summed by a thread.
    #[kernel(threads = [32, 64], run = [256, 512], share = [2, 8], near = [true, false])]
    pub fn sums(run: u32, share: u32, near: bool, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(run)
            .as_grid_map(|piece| exec_block(of_piece(share, near, piece)))
    }

    /// The least and the largest of each run, at any level above threads.
    pub fn extremes<T: Data>(
        run: u32,
        least: impl Combine<T>,
        most: impl Combine<T>,
        input: DPull<T>,
    ) -> DPush<Grid, (T, T)> {
        let pairs = |piece: Pull<T>| piece.map(|x| (x, x));
        let both = |a: (T, T), b: (T, T)| (least(a.0, b.0), most(a.1, b.1));
        input
            .split_up(run)
            .as_grid_map(|piece| exec_block(halved(both, pairs(piece))))
    }
}

/// The kernel of a function, built natively with these values.
fn built(
    name: &str,
    threads: u32,
    (run, share, near): (u32, u32, bool),
) -> obsidian_rt::Result<TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>> {
    TypedKernel::build(name, threads, |input: DPull<EU32>| {
        shapes::sums(run, share, near, input)
    })
}

#[test]
fn a_kernel_that_is_built_now_has_the_text_of_its_variant() {
    let variants = shapes::sums::variants();
    assert_eq!(variants.len(), 16);
    for variant in variants {
        let number = |name| {
            variant
                .value(name)
                .and_then(|value| value.integer())
                .unwrap() as u32
        };
        let near = variant
            .value("near")
            .and_then(|value| value.boolean())
            .unwrap();
        let kernel = built(
            variant.name(),
            variant.threads(),
            (number("run"), number("share"), near),
        )
        .unwrap();
        assert_eq!(kernel.kernel().cuda(), variant.cuda(), "{variant}");
    }
}

#[test]
fn values_that_no_variant_has_are_right_too() {
    let input: Vec<u32> = (0..1920)
        .map(|x: u32| x.wrapping_mul(0x9E37_79B1))
        .collect();
    for (threads, shape) in [
        (1, (64, 1, true)),
        (31, (64, 4, false)),
        (128, (640, 5, true)),
        (1000, (960, 15, false)),
    ] {
        let expected: Vec<u32> = input
            .chunks(shape.0 as usize)
            .map(|run| run.iter().fold(0, |a: u32, b| a.wrapping_add(*b)))
            .collect();
        for device in [Device::cpu(), Device::simulator()] {
            let kernel = built("sums", threads, shape).unwrap();
            let sums = kernel
                .launch(&device, &device.upload(&input).unwrap())
                .unwrap();
            assert_eq!(
                sums.to_vec().unwrap(),
                expected,
                "{shape:?} on {}",
                device.name()
            );
        }
    }
}

#[test]
fn types_and_operators_are_chosen_natively() {
    let floats = TypedKernel::build("extremes", 64, |input: DPull<EF32>| {
        shapes::extremes(128, |a, b| a.min(b), |a, b| a.max(b), input)
    })
    .unwrap();
    let longs = TypedKernel::build("extremes", 33, |input: DPull<EI64>| {
        shapes::extremes(128, |a, b| a.min(b), |a, b| a.max(b), input)
    })
    .unwrap();
    let device = Device::cpu();
    let input: Vec<f32> = (0..256).map(|x| ((x * 37) % 256) as f32 - 100.0).collect();
    let (least, most) = floats
        .launch(&device, &device.upload(&input).unwrap())
        .unwrap();
    let by_run = |f: fn(f32, f32) -> f32| {
        input
            .chunks(128)
            .map(|run| run.iter().copied().reduce(f).unwrap())
            .collect::<Vec<f32>>()
    };
    assert_eq!(
        (least.to_vec().unwrap(), most.to_vec().unwrap()),
        (by_run(f32::min), by_run(f32::max))
    );
    let input: Vec<i64> = (0..256).map(|x| ((x * 91) % 256) - (1 << 40)).collect();
    let (least, most) = longs
        .launch(&device, &device.upload(&input).unwrap())
        .unwrap();
    let by_run = |f: fn(i64, i64) -> i64| {
        input
            .chunks(128)
            .map(|run| run.iter().copied().reduce(f).unwrap())
            .collect::<Vec<i64>>()
    };
    assert_eq!(
        (least.to_vec().unwrap(), most.to_vec().unwrap()),
        (by_run(i64::min), by_run(i64::max))
    );
}

#[test]
fn a_candidate_is_a_call_with_the_values_of_its_point() {
    let job = Job::new((0..4096).collect::<Vec<u32>>(), |x| {
        x.chunks(256)
            .map(|run| run.iter().sum())
            .collect::<Vec<u32>>()
    });
    let space = Space::new()
        .list("threads", [32, 128])
        .powers_of_two("share", 1..=64)
        .list("near", [0, 1]);
    let explored = Explore::new(
        space,
        Objective::predicted(Gpu::named("H100").unwrap()),
        job,
        |point| {
            let (share, near) = (point.u32("share")?, point.u32("near")? == 1);
            Ok(Candidate::of(built(
                "sums",
                point.u32("threads")?,
                (256, share, near),
            )?))
        },
    );
    let explored = explored.run().unwrap();
    let good = explored
        .results
        .evaluated
        .iter()
        .filter(|one| one.outcome.score().is_some());
    assert_eq!((explored.results.evaluated.len(), good.count()), (28, 28));
}
