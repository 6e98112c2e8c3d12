//! Pieces of 32 elements are put together as pieces of 16.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).concat(16).push())
    }
}

fn main() {}
