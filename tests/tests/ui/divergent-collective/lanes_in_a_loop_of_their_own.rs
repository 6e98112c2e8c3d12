//! A lane looks for an element of other lanes, as long as it likes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let a = hold(run)?;
        let first = |i| exec_thread_value(seq_until(|j| (j + 1) % 32, |j| a[j % 32] != 0, i));
        pure(generate(32, first).as_warp())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|block| block.split_up(32).as_block_map(|run| exec_warp(f(run))))
    }
}

fn main() {}
