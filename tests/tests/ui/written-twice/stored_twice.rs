//! The array that `compute` stores is written twice at each second place.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn twice(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a.push::<Block>().ix_map(|i| i & 62))?;
        pure(stored.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(twice(chunk)))
    }
}

fn main() {}
