//! A warp executes a program of a block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn kept(arr: Pull<EI32>) -> Program<Block, Pull<EI32>> {
        compute(arr)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).as_block_map(|part| exec_warp(kept(part))))
    }
}

fn main() {}
