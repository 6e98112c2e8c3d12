//! A value that is known while the kernel is built is taken itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = 8)]
    pub fn k(n: &u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(*n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
