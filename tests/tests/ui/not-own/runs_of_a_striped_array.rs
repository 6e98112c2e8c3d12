//! A thread reads a run of neighbours, and holds one element in 64.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = hold(run)?;
        pure(a.split_up(4).map(|own| fold1(|x, y| x + y, own)[0]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}
