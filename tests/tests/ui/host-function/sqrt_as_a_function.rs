//! A method of floats is called as a function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| sqrt(x) + f32::max(x, 1.0)).push())
    }
}

fn main() {}
