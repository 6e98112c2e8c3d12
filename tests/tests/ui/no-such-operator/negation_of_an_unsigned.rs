//! The negative of an unsigned integer.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.map(|x| -x).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
