//! A number below 0 beside an unsigned one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + -1).push())
    }
}

fn main() {}

// Write `x - 1` in place of `x + -1`.
