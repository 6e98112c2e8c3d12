//! An `Option` by a value of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn positive(x: EF32) -> Option<EF32> {
        if x > 0.0 { Some(x) } else { None }
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| positive(x).unwrap_or(lit(0.0))).push())
    }
}

fn main() {}

// Write `-> EF32` in place of `-> Option<EF32>`.
// Write `select(x > 0.0, x, 0.0)` in place of `if x > 0.0 { Some(x) } else { None }`.
// Write `positive(x)` in place of `positive(x).unwrap_or(lit(0.0))`.
