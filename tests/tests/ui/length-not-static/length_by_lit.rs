//! What is stored has a length that is a device value.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let n = lit(64_u32);
        let stored = compute(generate(n, |i| chunk[i]))?;
        pure(stored.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}

// Write `64` in place of `lit(64_u32)`.
