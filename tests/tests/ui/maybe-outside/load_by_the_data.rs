//! An index that was loaded itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn gather(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a)?;
        pure(stored.map(|x| stored[x]).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(gather(chunk)))
    }
}

fn main() {}
