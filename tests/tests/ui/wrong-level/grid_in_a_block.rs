//! Blocks in a block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_grid_map(|part| part.push()))
    }
}

fn main() {}

// Write `as_block_map(|part| part.push::<Thread>())` in place of `as_grid_map(|part| part.push())`.
