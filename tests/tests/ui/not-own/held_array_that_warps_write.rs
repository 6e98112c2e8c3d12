//! Warps write what the threads of the block are to hold.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = hold(run.split_up(32).as_block_map(|r| exec_warp(pure(r.push()))))?;
        pure(a.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}
