//! An array as the condition of `select`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| select(chunk, chunk, chunk).push())
    }
}

fn main() {}

// Write `chunk.map(|x| select(x > 0, x, -x)).push()` in place of `select(chunk, chunk, chunk).push()`.
