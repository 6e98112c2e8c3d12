//! Two arrays of different lengths, made in two places, are zipped.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            let first = chunk.take(16);
            let rest = chunk.drop(16);
            zip_with(|x, y| x + y, first, rest).push()
        })
    }
}

fn main() {}
