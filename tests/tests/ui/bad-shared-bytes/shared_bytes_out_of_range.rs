//! No GPU gives a block so much shared memory.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(shared_bytes = 262144)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
