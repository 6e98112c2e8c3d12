//! A remainder of two booleans.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| select((x > 0) % (x < 9), x, -x)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
