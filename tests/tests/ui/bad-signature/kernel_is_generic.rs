//! A kernel has no type parameters.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k<T: Data>(input: DPull<T>) -> DPush<Grid, T> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
