//! A number of the host beside a value of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = 4)]
    pub fn k(n: u32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * n).push())
    }
}

fn main() {}

// Write `x * (n as f32)` in place of `x * n`.
