//! A sort whose function gives a number.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|run| sort(|x, y| x - y, run))
    }
}

fn main() {}
