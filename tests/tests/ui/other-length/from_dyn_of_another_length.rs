//! An array of 64 elements is said to have 128.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.to_dyn().from_dyn(128).push())
    }
}

fn main() {}

// Write `from_dyn(64)` in place of `from_dyn(128)`.
