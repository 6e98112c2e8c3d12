//! `f32 - i32`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| 1.5_f32 - x).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
