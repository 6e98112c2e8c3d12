//! Kernels with several outputs, and programs of the grid.

use obsidian_rt::prelude::*;
use obsidian_tests::{Download, hold};

use crate::{check, numbers};

#[kernels]
pub mod outputs {
    /// Two arrays of different length and type.
    #[kernel(threads = 32)]
    pub fn two(input: DPull<EU32>) -> (DPush<Grid, EU32>, DPush<Grid, (EU32, EF32)>) {
        let sums = input
            .split_up(10)
            .as_grid_map(|c| exec_block(compute(fold1(|x, y| x + y, c))));
        let both = input
            .chunks(7, lit(0_u32))
            .as_grid_map(|c| c.map(|x| (x * 2, (x % 100) as f32)).push())
            .take(input.len());
        (sums, both)
    }

    /// An array that is changed, and one that is made.
    #[kernel(threads = 32)]
    pub fn changed_and_made(
        total: MGlobal<EU32>,
        input: DPull<EU32>,
    ) -> Program<Grid, DPush<Grid, EU32>> {
        distr_par(input.len() / 10, |b| {
            for_all(10, |i| total.atomic_max(0, input[b * 10 + i]).void())
        })?;
        pure(input.split_up(10).as_grid_map(|c| c.reverse().push()))
    }
}

/// Numbers whose sums stay small.
fn small(n: usize) -> Vec<u32> {
    numbers(n as u32).iter().map(|x| x % 1000).collect()
}

#[test]
fn a_tuple_of_arrays_is_a_tuple_of_buffers() {
    let launch = |kernel: &Kernel, device: &Device, n| {
        outputs::two::launch_kernel(kernel, device, &device.upload(&small(n))?)
    };
    hold(
        &outputs::two::kernel(),
        outputs::two::CUDA,
        10,
        launch,
        |n| {
            let x = small(n);
            let both = (
                x.iter().map(|x| x * 2).collect::<Vec<u32>>(),
                x.iter().map(|x| (x % 100) as f32).collect::<Vec<f32>>(),
            );
            (
                x.chunks(10).map(|c| c.iter().sum()).collect::<Vec<u32>>(),
                both,
            )
        },
    );
}

#[test]
fn a_program_of_the_grid_may_change_and_make() {
    let launch = |kernel: &Kernel, device: &Device, n: usize| {
        let (mut total, input) = (device.upload(&[3u32])?, device.upload(&numbers(n as u32))?);
        let output = outputs::changed_and_made::launch_kernel(kernel, device, &mut total, &input)?;
        Ok((total, output))
    };
    hold(
        &outputs::changed_and_made::kernel(),
        outputs::changed_and_made::CUDA,
        10,
        launch,
        |n| {
            let x = numbers(n as u32);
            let turned = x
                .chunks(10)
                .flat_map(|c| c.iter().rev().copied())
                .collect::<Vec<u32>>();
            (vec![x.iter().copied().fold(3, u32::max)], turned)
        },
    );
}

#[kernels]
pub mod tuples {
    /// All integer types as one structure of arrays: shared in the middle, reversed and moved by
    /// one field.
    #[kernel(threads = 33)]
    pub fn integers(
        input: DPull<(EU8, EU16, EU32, EU64, EI8, EI16, EI32, EI64)>,
    ) -> DPush<Grid, (EI64, EU8, EU16, EU32, EU64, EI8, EI16, EI32)> {
        input.split_up(10).as_grid_map(|chunk| {
            let stored = compute(chunk.reverse());
            exec_block(
                stored
                    .map(|arr| arr.map(|(a, b, c, d, e, f, g, h)| (h, a + 200, b, c, d, e, f, g))),
            )
        })
    }

    /// The other types, chosen between.
    #[kernel(threads = 31)]
    pub fn others(input: DPull<(EF32, EF64, EBool)>) -> DPush<Grid, (EBool, EF64, EF32)> {
        input.split_up(10).as_grid_map(|chunk| {
            chunk
                .map(|(x, y, b)| select(b, (!b, y, x), (x < 0.0, (x as f64) + y, y as f32)))
                .push::<Block>()
        })
    }
}

/// Numbers of all sizes and signs.
fn wide(n: usize) -> Vec<i64> {
    (0..n as i64)
        .map(|i| (i - 15).wrapping_mul(0x0123_4567_89AB_CDEF))
        .collect()
}

#[test]
fn eight_fields_of_all_integer_types_are_eight_buffers() {
    let launch = |kernel: &Kernel, device: &Device, n| {
        let x = wide(n);
        macro_rules! of {
            ($ty:ident) => {
                device.upload(&x.iter().map(|x| *x as $ty).collect::<Vec<$ty>>())?
            };
        }
        let (a, b, c, d, e, f, g, h) = (
            of!(u8),
            of!(u16),
            of!(u32),
            of!(u64),
            of!(i8),
            of!(i16),
            of!(i32),
            of!(i64),
        );
        let (a, b, c, d, e, f, g, h) =
            tuples::integers::launch_kernel(kernel, device, (&a, &b, &c, &d, &e, &f, &g, &h))?;
        Ok((((a, b), (c, d)), ((e, f), (g, h))))
    };
    hold(
        &tuples::integers::kernel(),
        tuples::integers::CUDA,
        10,
        launch,
        |n| {
            let turned: Vec<i64> = wide(n)
                .chunks(10)
                .flat_map(|c| c.iter().rev().copied())
                .collect();
            macro_rules! of {
                ($ty:ident) => {
                    turned.iter().map(|x| *x as $ty).collect::<Vec<$ty>>()
                };
            }
            let bytes: Vec<u8> = turned
                .iter()
                .map(|x| (*x as u8).wrapping_add(200))
                .collect();
            (
                ((of!(i64), bytes), (of!(u16), of!(u32))),
                ((of!(u64), of!(i8)), (of!(i16), of!(i32))),
            )
        },
    );
}

/// What `others` gives, as bits, all NaN the same.
struct Chosen(Buffer<bool>, Buffer<f64>, Buffer<f32>);

impl Download for Chosen {
    type Host = Vec<(bool, u64, u64)>;
    fn download(&self) -> Self::Host {
        let (b, y, x) = (self.0.download(), self.1.download(), self.2.download());
        b.into_iter()
            .zip(y)
            .zip(x)
            .map(|((b, y), x)| (b, bits(y), bits(x.into())))
            .collect()
    }
}

fn bits(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// One element of each input of `others`.
fn mixed(i: usize) -> (f32, f64, bool) {
    let i = i % 20;
    let x = if i == 7 {
        f32::NAN
    } else {
        i as f32 * 0.5 - 4.0
    };
    (
        x,
        if i == 3 { -0.0 } else { i as f64 / 3.0 },
        i.is_multiple_of(3),
    )
}

#[test]
fn floats_and_booleans_are_chosen_between() {
    let launch = |kernel: &Kernel, device: &Device, n: usize| {
        let u = device.upload(&(0..n).map(|i| mixed(i).0).collect::<Vec<f32>>())?;
        let v = device.upload(&(0..n).map(|i| mixed(i).1).collect::<Vec<f64>>())?;
        let w = device.upload(&(0..n).map(|i| mixed(i).2).collect::<Vec<bool>>())?;
        let out = tuples::others::launch_kernel(kernel, device, (&u, &v, &w))?;
        Ok(Chosen(out.0, out.1, out.2))
    };
    let chosen = |i| {
        let (x, y, b) = mixed(i);
        if b {
            (!b, bits(y), bits(x.into()))
        } else {
            (x < 0.0, bits(f64::from(x) + y), bits((y as f32).into()))
        }
    };
    hold(
        &tuples::others::kernel(),
        tuples::others::CUDA,
        10,
        launch,
        |n| (0..n).map(chosen).collect(),
    );
}

#[kernels]
pub mod any_length {
    /// Each element and one, for any length.
    #[kernel(threads = 32)]
    pub fn successors(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(100, lit(0u32))
            .as_grid_map(|c| c.map(|x| x + 1).push())
            .take(input.len())
    }
}

#[test]
fn a_length_whose_last_piece_ends_beyond_u32_is_refused() {
    let plan = any_length::successors::kernel();
    let manifest = plan.manifest();
    // An array of that length does not fit a test: the formula that a launch works out is looked at
    // instead.
    let limits: Vec<_> = build().interface().unwrap().requirements.into_owned();
    let holds = |length: u64| {
        limits
            .iter()
            .all(|r| r.length.evaluate(&[Some(length)], &[]).is_ok())
    };
    assert!(holds(0) && holds(u64::from(u32::MAX) - 99), "{manifest}");
    assert!(!holds(u64::from(u32::MAX) - 98), "{manifest}");
}

fn build() -> obsidian_core::plan::Plan {
    use obsidian_rt::language::{DPull, EU32, lit};
    obsidian_core::pipeline::build("successors", &Default::default(), |builder| {
        let input: DPull<EU32> = builder.parameter("input");
        let len = input.len();
        builder.result(
            input
                .chunks(100, lit(0u32))
                .as_grid_map(|c| c.map(|x| x + 1).push())
                .take(len),
        );
    })
    .unwrap()
}

#[test]
fn any_length_is_right_around_the_size_of_a_piece() {
    check!(any_length::successors[100](x) => x.iter().map(|x| x.wrapping_add(1)).collect::<Vec<u32>>());
}
