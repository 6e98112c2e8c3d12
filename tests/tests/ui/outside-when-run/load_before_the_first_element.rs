//! Below 0 an index wraps.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn differences(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a)?;
        pure(generate(64, |i| stored[i] - stored[i - 1]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(differences(chunk)))
    }
}

fn main() {}
