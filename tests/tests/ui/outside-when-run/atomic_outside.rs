//! A bin too many.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn count(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let bins = new_shared_mutable(16, lit(0_u32))?;
        for_all(64, |i| bins.atomic_add(i % 17, 1).void())?;
        pure(bins.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(count(chunk)))
    }
}

fn main() {}
