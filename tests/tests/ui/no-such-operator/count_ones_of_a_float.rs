//! The set bits of a float.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.map(|x| x.count_ones()).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
