//! Kernels with several outputs, and programs of the grid.

use obsidian_rt::prelude::*;

use crate::{numbers, places};

#[kernels]
pub mod outputs {
    /// Two arrays of different length and type.
    #[kernel(threads = 32)]
    pub fn two(input: DPull<EU32>) -> (DPush<Grid, EU32>, DPush<Grid, (EU32, EF32)>) {
        let sums = input.split_up(10).as_grid_map(|c| exec_block(compute(fold1(|x, y| x + y, c))));
        let both = input.chunks(7, lit(0_u32)).as_grid_map(|c| c.map(|x| (x * 2, (x % 100) as f32)).push()).take(input.len());
        (sums, both)
    }

    /// An array that is changed, and one that is made.
    #[kernel(threads = 32)]
    pub fn changed_and_made(total: MGlobal<EU32>, input: DPull<EU32>) -> Program<Grid, DPush<Grid, EU32>> {
        distr_par(input.len() / 10, |b| for_all(10, |i| total.atomic_max(0, input[b * 10 + i]).void()))?;
        pure(input.split_up(10).as_grid_map(|c| c.reverse().push()))
    }
}

#[test]
fn a_tuple_of_arrays_is_a_tuple_of_buffers() {
    let x: Vec<u32> = numbers(60).iter().map(|x| x % 1000).collect();
    for (device, kernel) in places(&outputs::two::kernel()) {
        let input = device.upload(&x).unwrap();
        let (sums, (doubled, floats)) = outputs::two::launch_kernel(&kernel, &device, &input).unwrap();
        assert_eq!(sums.to_vec().unwrap(), x.chunks(10).map(|c| c.iter().sum()).collect::<Vec<u32>>());
        assert_eq!(doubled.to_vec().unwrap(), x.iter().map(|x| x * 2).collect::<Vec<_>>());
        assert_eq!(floats.to_vec().unwrap(), x.iter().map(|x| (x % 100) as f32).collect::<Vec<_>>());
    }
}

#[test]
fn a_program_of_the_grid_may_change_and_make() {
    let x = numbers(60);
    for (device, kernel) in places(&outputs::changed_and_made::kernel()) {
        let (mut total, input) = (device.upload(&[3u32]).unwrap(), device.upload(&x).unwrap());
        let output = outputs::changed_and_made::launch_kernel(&kernel, &device, &mut total, &input).unwrap();
        assert_eq!(total.to_vec().unwrap(), [*x.iter().max().unwrap()]);
        let expected: Vec<u32> = x.chunks(10).flat_map(|c| c.iter().rev().copied()).collect();
        assert_eq!(output.to_vec().unwrap(), expected);
    }
}

#[kernels]
pub mod tuples {
    /// All integer types as one structure of arrays: shared in the middle, reversed and moved by one field.
    #[kernel(threads = 33)]
    pub fn integers(
        input: DPull<(EU8, EU16, EU32, EU64, EI8, EI16, EI32, EI64)>,
    ) -> DPush<Grid, (EI64, EU8, EU16, EU32, EU64, EI8, EI16, EI32)> {
        input.split_up(10).as_grid_map(|chunk| {
            let stored = compute(chunk.reverse());
            exec_block(stored.map(|arr| arr.map(|(a, b, c, d, e, f, g, h)| (h, a + 200, b, c, d, e, f, g))))
        })
    }

    /// The other types, chosen between.
    #[kernel(threads = 31)]
    pub fn others(input: DPull<(EF32, EF64, EBool)>) -> DPush<Grid, (EBool, EF64, EF32)> {
        input
            .split_up(10)
            .as_grid_map(|chunk| chunk.map(|(x, y, b)| select(b, (!b, y, x), (x < 0.0, (x as f64) + y, y as f32))).push::<Block>())
    }
}

#[test]
fn eight_fields_of_all_integer_types_are_eight_buffers() {
    let n: Vec<i64> = (0..30).map(|i| (i - 15) * 0x0123_4567_89AB_CDEF).collect();
    for (device, kernel) in places(&tuples::integers::kernel()) {
        let upload = &device;
        macro_rules! of {
            ($ty:ident) => {
                upload.upload(&n.iter().map(|x| *x as $ty).collect::<Vec<$ty>>()).unwrap()
            };
        }
        let (a, b, c, d, e, f, g, h) = (of!(u8), of!(u16), of!(u32), of!(u64), of!(i8), of!(i16), of!(i32), of!(i64));
        let out = tuples::integers::launch_kernel(&kernel, &device, (&a, &b, &c, &d, &e, &f, &g, &h)).unwrap();
        let turned: Vec<i64> = n.chunks(10).flat_map(|c| c.iter().rev().copied()).collect();
        assert_eq!(out.0.to_vec().unwrap(), turned);
        assert_eq!(out.1.to_vec().unwrap(), turned.iter().map(|x| (*x as u8).wrapping_add(200)).collect::<Vec<_>>());
        assert_eq!(out.2.to_vec().unwrap(), turned.iter().map(|x| *x as u16).collect::<Vec<_>>());
        assert_eq!(out.3.to_vec().unwrap(), turned.iter().map(|x| *x as u32).collect::<Vec<_>>());
        assert_eq!(out.4.to_vec().unwrap(), turned.iter().map(|x| *x as u64).collect::<Vec<_>>());
        assert_eq!(out.5.to_vec().unwrap(), turned.iter().map(|x| *x as i8).collect::<Vec<_>>());
        assert_eq!(out.6.to_vec().unwrap(), turned.iter().map(|x| *x as i16).collect::<Vec<_>>());
        assert_eq!(out.7.to_vec().unwrap(), turned.iter().map(|x| *x as i32).collect::<Vec<_>>());
    }
}

#[test]
fn floats_and_booleans_are_chosen_between() {
    let x: Vec<f32> = (0..20).map(|i| if i == 7 { f32::NAN } else { i as f32 * 0.5 - 4.0 }).collect();
    let y: Vec<f64> = (0..20).map(|i| if i == 3 { -0.0 } else { f64::from(i) / 3.0 }).collect();
    let b: Vec<bool> = (0..20).map(|i| i % 3 == 0).collect();
    let chosen: Vec<(bool, f64, f32)> =
        (0..20).map(|i| if b[i] { (!b[i], y[i], x[i]) } else { (x[i] < 0.0, f64::from(x[i]) + y[i], y[i] as f32) }).collect();
    for (device, kernel) in places(&tuples::others::kernel()) {
        let (u, v, w) = (device.upload(&x).unwrap(), device.upload(&y).unwrap(), device.upload(&b).unwrap());
        let out = tuples::others::launch_kernel(&kernel, &device, (&u, &v, &w)).unwrap();
        let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let (o0, o1, o2) = (out.0.to_vec().unwrap(), out.1.to_vec().unwrap(), out.2.to_vec().unwrap());
        assert_eq!(o0, chosen.iter().map(|c| c.0).collect::<Vec<_>>());
        assert_eq!(o1.iter().map(|x| bits(*x)).collect::<Vec<_>>(), chosen.iter().map(|c| bits(c.1)).collect::<Vec<_>>());
        let wide = |x: f32| bits(x.into());
        assert_eq!(o2.iter().map(|x| wide(*x)).collect::<Vec<_>>(), chosen.iter().map(|c| wide(c.2)).collect::<Vec<_>>());
    }
}

#[kernels]
pub mod any_length {
    /// Each element and one, for any length.
    #[kernel(threads = 32)]
    pub fn successors(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks(100, lit(0u32)).as_grid_map(|c| c.map(|x| x + 1).push()).take(input.len())
    }
}

#[test]
fn a_length_whose_last_piece_ends_beyond_u32_is_refused() {
    let plan = any_length::successors::kernel();
    let manifest = plan.manifest();
    // An array of that length does not fit a test: the formula that a launch works out is looked at instead.
    let limits: Vec<_> = obsidian_core::plan::Interface::of(&build()).unwrap().requirements.into_owned();
    let holds = |length: u64| limits.iter().all(|r| r.length.evaluate(&[Some(length)], &[]).is_some_and(|n| n <= u32::MAX.into()));
    assert!(holds(0) && holds(u64::from(u32::MAX) - 99), "{manifest}");
    assert!(!holds(u64::from(u32::MAX) - 98), "{manifest}");
}

fn build() -> obsidian_core::plan::Plan {
    use obsidian_rt::language::{DPull, EU32, lit};
    obsidian_core::pipeline::build("successors", &Default::default(), |builder| {
        let input: DPull<EU32> = builder.parameter("input");
        let len = input.len();
        builder.result(input.chunks(100, lit(0u32)).as_grid_map(|c| c.map(|x| x + 1).push()).take(len));
    })
    .unwrap()
}

#[test]
fn any_length_is_right_around_the_size_of_a_piece() {
    for (device, kernel) in places(&any_length::successors::kernel()) {
        for n in [0, 1, 2, 31, 99, 100, 101, 199, 200, 250] {
            let x = numbers(n);
            let out = any_length::successors::launch_kernel(&kernel, &device, &device.upload(&x).unwrap()).unwrap();
            let expected: Vec<u32> = x.iter().map(|x| x.wrapping_add(1)).collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{} {} threads, {n} elements", device.name(), kernel.threads());
        }
    }
}
