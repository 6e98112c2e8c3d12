//! An integer where a float is chosen.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks(64, 0.0).as_grid_map(|chunk| chunk.map(|x| select(x > 0.0, x, 0)).push()).take(input.len())
    }
}

fn main() {}
