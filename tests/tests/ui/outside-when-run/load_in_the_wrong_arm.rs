//! The condition excludes the first element and not the last.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn next(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a)?;
        pure(generate(64, |i| select(i > 0, stored[i + 1], stored[i])).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(next(chunk)))
    }
}

fn main() {}
