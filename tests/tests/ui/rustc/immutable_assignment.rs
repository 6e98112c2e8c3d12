//! A name that is not `mut` is assigned to.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let size = 32;
        size = 64;
        input.split_up(size).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
