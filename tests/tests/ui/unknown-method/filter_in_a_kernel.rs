//! A method of whole arrays in a kernel.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.filter(|x| x > 0.0).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `#[arrays] pub fn k(input: Arr1<EF32>) -> Arr1<EF32> { input.filter(|x| x > 0.0) }` in place of `#[kernel] pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> { input.filter(|x| x > 0.0).split_up(64).as_grid_map(|chunk| chunk.push()) }`.
