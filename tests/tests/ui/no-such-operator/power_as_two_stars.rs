//! A power is written with two stars.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x ** 2).push())
    }
}

fn main() {}

// Write `x * x` in place of `x ** 2`.
