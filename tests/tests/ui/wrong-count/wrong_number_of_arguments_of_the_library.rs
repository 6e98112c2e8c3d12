//! A function of the library with too few arguments.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| zip_with(|x, y| x + y, chunk).push())
    }
}

fn main() {}
