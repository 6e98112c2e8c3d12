//! A method of arrays in kernels in an array program.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.chunks(64, 0.0)
    }
}

fn main() {}

// Write `#[kernel] pub fn f(xs: DPull<EF32>) -> DPush<Grid, EF32> { xs.chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(xs.len()) }` in place of `#[arrays] pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> { xs.chunks(64, 0.0) }`.
