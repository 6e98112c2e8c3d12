//! An element of a matrix by one number.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| generate(8, |i| chunk.in_rows(8).at(i)).push())
    }
}

fn main() {}
