//! `Pitch(n)` is the layout of an array of one axis.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn turned(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let kept = compute_as(Pitch(9), x.in_rows(8))?;
        pure(kept.transpose().push().flat())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| exec_block(turned(piece)))
    }
}

fn main() {}

// Write `compute_pitch(9, ` in place of `compute_as(Pitch(9), `.
