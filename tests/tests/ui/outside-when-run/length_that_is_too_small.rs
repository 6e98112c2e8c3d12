//! The length of a result is said to be smaller.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(input.len()).set_len(64)
    }
}

fn main() {}
