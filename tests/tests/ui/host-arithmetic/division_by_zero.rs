//! The host divides by zero while the kernel is built.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64 / 0).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
