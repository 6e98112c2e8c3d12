//! `compute` at the grid, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn stored(arr: Pull<EI32>) -> Program<Grid, Push<Grid, EI32>> {
        let kept = compute(arr)?;
        pure(kept.push())
    }
}

fn main() {}
