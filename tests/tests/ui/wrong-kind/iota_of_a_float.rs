//! An array of 1.5 elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| append(chunk, iota(1.5)).push())
    }
}

fn main() {}
