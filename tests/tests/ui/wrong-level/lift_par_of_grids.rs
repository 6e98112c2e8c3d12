//! There is no level above the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        lift_par(input.split_up(64).map(|chunk| chunk.push::<Grid>()))
    }
}

fn main() {}
