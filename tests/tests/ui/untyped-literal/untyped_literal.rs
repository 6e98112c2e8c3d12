//! A device literal whose type nothing says.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn ones(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let ones = compute(generate(64, |_| 1))?;
        pure(generate(64, |i| select(ones[i] == 1, chunk[i], 0)).push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(ones(chunk)))
    }
}

fn main() {}

// Write `|_| 1_i32)` in place of `|_| 1)`.
