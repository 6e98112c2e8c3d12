//! A chosen value of 0 is a divisor.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = 0)]
    pub fn k(n: u32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64 / n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
