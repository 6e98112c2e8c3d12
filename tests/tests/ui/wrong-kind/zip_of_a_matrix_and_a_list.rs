//! A matrix and a list, element by element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| zip_with(|a, b| a + b, chunk.in_rows(8), chunk).flat().push())
    }
}

fn main() {}
