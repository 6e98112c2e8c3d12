//! A function of any type stores.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn kept<T>(chunk: Pull<T>) -> Program<Block, Push<Block, T>> {
        let stored = compute(chunk)?;
        pure(stored.push())
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(kept(chunk)))
    }
}

fn main() {}

// Write `kept<T: Data>` in place of `kept<T>`.
