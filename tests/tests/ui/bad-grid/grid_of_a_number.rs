//! The number of real blocks is a matter of the launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(grid = 132)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `grid = resident` in place of `grid = 132`.
