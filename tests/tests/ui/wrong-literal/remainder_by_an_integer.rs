//! The remainder of a float by an integer.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x % 2).push())
    }
}

fn main() {}

// Write `x % 2.0` in place of `x % 2`.
