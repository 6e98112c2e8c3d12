//! The elements of an array as an iterator.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| singleton_push(chunk.iter().sum()))
    }
}

fn main() {}
