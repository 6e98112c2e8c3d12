//! A parameter that is known while the kernel is built has its values in the attribute.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `#[kernel(n = 8)]` in place of `#[kernel]`.
