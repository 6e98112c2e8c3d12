//! A kernel with a `?` declares an array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        pure(())?;
        pure(input.split_up(64).as_grid_map(|chunk| chunk.push()))
    }
}

fn main() {}

// Write `-> Program<Grid, DPush<Grid, EF32>>` in place of `-> DPush<Grid, EF32>`.
