//! Eight blocks of 512 threads: more than any multiprocessor holds at once.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(min_blocks = [4, 8], threads = [64, 512])]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
