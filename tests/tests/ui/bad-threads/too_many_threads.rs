//! A block has at most 1024 threads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 2000)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
