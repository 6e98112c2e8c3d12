//! `set_len` promises more elements than are written.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn longer(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(a.push::<Block>().set_len(65))?;
        pure(stored.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(longer(chunk)))
    }
}

fn main() {}
