//! Runs of 5 in 64 elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = hold_as(Blocked(5), run)?;
        pure(a.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}
