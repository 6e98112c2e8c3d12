//! An element of an array is assigned, as of a slice.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            chunk[0] = 3;
            chunk.push()
        })
    }
}

fn main() {}
