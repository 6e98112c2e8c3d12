//! Two arrays of different lengths are interleaved.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| interleave(chunk, chunk.take(16)).push())
    }
}

fn main() {}

// Write `interleave(chunk.take(16), chunk.take(16))` in place of `interleave(chunk, chunk.take(16))`.
