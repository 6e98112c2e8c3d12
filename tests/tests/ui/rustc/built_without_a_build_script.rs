//! A module that a build script compiles, in a crate without one.

use obsidian_rt::prelude::*;

#[kernels(built)]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
