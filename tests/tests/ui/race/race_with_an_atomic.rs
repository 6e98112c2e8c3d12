//! One thread writes an element that others count in.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn count(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let bins = new_shared_mutable(8, lit(0_u32))?;
        for_all(64, |i| {
            bins.atomic_add(i % 8, a[i]).void()?;
            cond(i == 63, bins.write(0, lit(0_u32)), pure(()))
        })?;
        pure(bins.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(count(chunk)))
    }
}

fn main() {}
