//! The length of a result has 64 bits.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(n: EU64) -> DPush<Grid, EF32> {
        generate(n, |i| i as EF32).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `n: EU32` in place of `n: EU64`.
