//! A thread reads what its neighbour holds.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = hold(run)?;
        pure(generate(63, |i| a[i] + a[i + 1]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}
