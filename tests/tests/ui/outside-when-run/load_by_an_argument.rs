//! An argument as an index.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn shifted(a: Pull<EU32>, at: EU32) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a)?;
        pure(stored.map(|x| x + stored[at]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>, at: EU32) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(shifted(chunk, at)))
    }
}

fn main() {}
