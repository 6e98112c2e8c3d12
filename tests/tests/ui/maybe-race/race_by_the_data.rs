//! Threads write where the data says.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn scatter(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = new_shared_mutable(64, lit(0_u32))?;
        for_all(64, |i| m.write(a[i] % 64, i))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(scatter(chunk)))
    }
}

fn main() {}
