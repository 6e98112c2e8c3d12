//! The limit of shared memory is no parameter of the function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(shared_bytes = 49152)]
    pub fn k(shared_bytes: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
