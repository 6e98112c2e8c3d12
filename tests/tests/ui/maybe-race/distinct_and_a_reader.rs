//! Threads write at distinct indices, and read at others.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn scatter(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = new_shared_mutable(64, 0u32)?;
        for_all(64, |i| {
            let x = m.read(63 - i)?;
            m.write((a[i] % 64).distinct(), x)
        })?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(scatter(chunk)))
    }
}

fn main() {}
