//! A function that no kernel calls gives a number of another type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn whole(x: EF32) -> EU32 {
        x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
