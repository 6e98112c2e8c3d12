//! A step gives its tile, and not the state.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sums = tiles_fold(run, 8, replicate(32, lit(0_u32)), |sums, tile| pure(tile), |sums, rest| pure(sums))?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }
}

fn main() {}
