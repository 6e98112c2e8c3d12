//! The body's level is not the declared one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        exec_block(pure(input.split_up(64).at(0).push())).to_dyn()
    }
}

fn main() {}

// Write `input.split_up(64).as_grid_map(|chunk| chunk.push())` in place of `exec_block(pure(input.split_up(64).at(0).push())).to_dyn()`.
