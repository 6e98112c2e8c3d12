//! A literal of double precision beside a single one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * 2.0_f64).push())
    }
}

fn main() {}

// Write `2.0` in place of `2.0_f64`.
