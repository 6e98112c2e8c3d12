//! `compute` where no array can be stored.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn stored(arr: SPull<EI32>) -> Program<Grid, SPush<Grid, EI32>> {
        let kept = compute(arr)?;
        pure(kept.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec(stored(chunk)))
    }
}

fn main() {}

// Write `-> Program<Block, SPush<Block, EI32>>` in place of `-> Program<Grid, SPush<Grid, EI32>>`.
// Write `exec_block(stored(chunk))` in place of `exec(stored(chunk))`.
