//! No multiprocessor holds more than 32 blocks at once.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(min_blocks = 33)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
