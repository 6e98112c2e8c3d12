//! A mistake that has nothing to do with the values is reported once, without them.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = [8, 16])]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.map(|x| x + 1u32).push())
    }
}

fn main() {}
