//! A launch knows the length, not the kernel.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: Pull<EI32>) -> DPush<Grid, EI32> {
        input.to_dyn().split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
