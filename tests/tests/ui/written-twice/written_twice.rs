//! Two elements go to one place.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push().ix_map(|i| i / 2))
    }
}

fn main() {}

// Write `i ^ 1` in place of `i / 2`.
