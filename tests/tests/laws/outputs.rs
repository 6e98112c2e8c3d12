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
