//! A host integer goes below zero while the kernel is built.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let size = 3_u32 - 4;
        input.split_up(size).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
