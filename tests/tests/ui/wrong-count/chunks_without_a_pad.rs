//! Chunks without what fills the last one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks(64).as_grid_map(|chunk| chunk.push()).take(input.len())
    }
}

fn main() {}

// Write `chunks(64, 0.0)` in place of `chunks(64)`.
