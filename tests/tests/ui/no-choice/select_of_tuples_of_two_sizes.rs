//! The device chooses between a pair and a triple.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| select(x > 0, (x, x), (x, x, x)).0).push())
    }
}

fn main() {}
