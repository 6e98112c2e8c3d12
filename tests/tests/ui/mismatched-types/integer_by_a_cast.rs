//! A cast gives an integer beside a float.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + (x as EI32)).push())
    }
}

fn main() {}

// Write `(x as EF32)` in place of `(x as EI32)`.
