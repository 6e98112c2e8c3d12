//! A kernel takes arrays of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: Vec<i32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
