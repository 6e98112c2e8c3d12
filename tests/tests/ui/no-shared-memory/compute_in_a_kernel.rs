//! A kernel stores its input.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let stored = compute(input)?;
        stored.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> { let stored = compute(chunk)?; pure(stored.push()) } #[kernel]` in place of `#[kernel]`.
// Write `input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))` in place of `let stored = compute(input)?; stored.split_up(64).as_grid_map(|chunk| chunk.push())`.
