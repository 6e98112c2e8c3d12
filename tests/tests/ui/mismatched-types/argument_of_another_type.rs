//! A function of double precision is given a single one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn twice(x: EF64) -> EF64 {
        x * 2.0
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| twice(x) as EF32).push())
    }
}

fn main() {}

// Write `twice(x as EF64)` in place of `twice(x)`.
