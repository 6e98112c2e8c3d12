//! A mutable array is written beyond its end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn fill(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = new_shared_mutable(32, lit(0_u32))?;
        for_all(64, |i| m.write(i, a[i]))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(fill(chunk)))
    }
}

fn main() {}
