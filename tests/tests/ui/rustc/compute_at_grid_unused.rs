//! `compute` at the grid, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn stored(arr: Pull<EI32>) -> Program<Grid, DPush<Grid, EI32>> {
        let kept = compute(arr)?;
        pure(kept.to_dyn().split_up(64).as_grid_map(|chunk| chunk.push()))
    }
}

fn main() {}
