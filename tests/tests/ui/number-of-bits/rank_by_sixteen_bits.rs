//! A radix rank by more bits than counters have room for, and a sort by none.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    pub fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let places = block_radix_rank(16, run)?;
        pure(places.push())
    }

    pub fn g(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        block_radix_sort(0, |x| x, run)
    }

    pub fn h(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        rank_by_digit(9, run).map(|(places, _)| places.push())
    }

    #[kernel(threads = 64)]
    pub fn counted(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(h(run)))
    }

    #[kernel(threads = 64)]
    pub fn ranked(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(f(run)))
    }

    #[kernel(threads = 64)]
    pub fn sorted(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| exec_block(g(run)))
    }
}

fn main() {}
