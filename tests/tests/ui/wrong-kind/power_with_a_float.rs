//! The exponent of `powi` is a float.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x.powi(2.0)).push())
    }
}

fn main() {}

// Write `powi(2)` in place of `powi(2.0)`.
