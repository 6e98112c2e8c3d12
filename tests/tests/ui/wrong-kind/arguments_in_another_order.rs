//! The function of a zip comes first, and here it comes last.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| zip_with(chunk, chunk.reverse(), |x, y| x + y).push())
    }
}

fn main() {}
