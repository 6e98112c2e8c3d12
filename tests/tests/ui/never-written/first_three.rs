//! The first three elements of a result that may be shorter.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(lit(3))
    }
}

fn main() {}

// Write `require(input.len().at_least(3)); input.chunks` in place of `input.chunks`.
