//! A pull array is pushed where there are no threads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.push()
    }
}

fn main() {}

// Write `input.split_up(64).as_grid_map(|chunk| chunk.push())` in place of `input.push()`.
