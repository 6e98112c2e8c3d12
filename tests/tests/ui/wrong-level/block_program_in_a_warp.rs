//! A program of a block that a warp runs as its own.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(x: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        compute(x.map(|x| x + 1))
    }

    fn of_a_warp(x: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let more = sum(x)?;
        pure(more.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64)
            .as_grid_map(|x| x.split_up(32).as_block_map(|x| exec_warp(of_a_warp(x))))
    }
}

fn main() {}
