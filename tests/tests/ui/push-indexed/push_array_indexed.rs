//! A push array has no elements to read.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            let pushed = chunk.push::<Block>();
            generate(64, |i| pushed[i]).push()
        })
    }
}

fn main() {}

// Write `exec_block(stored(chunk))` in place of `let pushed = chunk.push::<Block>(); generate(64, |i| pushed[i]).push()`.
// Write `fn stored(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> { let stored = compute(chunk.push::<Block>())?; pure(generate(64, |i| stored[i]).push()) } #[kernel]` in place of `#[kernel]`.
