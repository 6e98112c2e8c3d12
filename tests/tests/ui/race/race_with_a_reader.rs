//! One thread reads what another writes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn neighbours(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        for_all(63, |i| {
            let next = m.read(i + 1)?;
            m.write(i, next)
        })?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(neighbours(chunk)))
    }
}

fn main() {}
