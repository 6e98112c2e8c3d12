//! A shift by a float.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| x << 1.5).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
