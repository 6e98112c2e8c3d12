//! The neighbour of the last element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| generate(64, |i| chunk[i] + chunk[i + 1]).push())
    }
}

fn main() {}
