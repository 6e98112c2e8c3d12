//! The fill of the last piece becomes part of the output.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.chunks(64, 0.0).as_grid_map(|p| p.map(|x| 2.0 * x).push())
    }
}

fn main() {}

// Write `2.0 * x).push()).take(x.len())` in place of `2.0 * x).push())`.
