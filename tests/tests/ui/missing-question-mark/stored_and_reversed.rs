//! What is stored is reversed before it is there.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let stored = compute(chunk);
        pure(stored.reverse().push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}

// Write `compute(chunk)?` in place of `compute(chunk)`.
