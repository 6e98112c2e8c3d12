//! Parameters that are known while the kernel is built come first.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = 8)]
    pub fn k(input: DPull<EI32>, n: u32) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
