//! 64 elements are not 7 rows of 9.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.as_2d(7, 9).push().flat())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}

// Write `in_rows(8)` in place of `as_2d(7, 9)`.
