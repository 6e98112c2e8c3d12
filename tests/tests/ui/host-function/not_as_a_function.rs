//! `not` of a condition.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| select(not(x > 0.0), x, 0.0)).push())
    }
}

fn main() {}

// Write `!(x > 0.0)` in place of `not(x > 0.0)`.
