//! A kernel of numbers of the host.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<u32>) -> DPush<Grid, u32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
