//! A chunk that is stored is too long.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let stored = compute(chunk)?;
        pure(stored.reverse().push())
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(100_000).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}

// Write `10_000` in place of `100_000`.
