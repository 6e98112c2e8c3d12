//! A number that is too large for a byte.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU8>) -> DPush<Grid, EU8> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + 300).push())
    }
}

fn main() {}

// Write `x + 30` in place of `x + 300`.
