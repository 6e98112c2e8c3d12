//! A mask of 64 booleans.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let mask = ballot(run.map(|x| x > 3))?;
        pure(run.map(|x| x ^ mask).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}

// Write `pub fn f(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>>` in place of `pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>>`.
// Write `run.split_up(32).as_block_map(|run| exec_warp(f(run)))` in place of `exec_block(f(run))`.
