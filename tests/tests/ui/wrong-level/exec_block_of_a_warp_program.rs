//! A block executes a program of a warp.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn kept(arr: Pull<EI32>) -> Program<Warp, Pull<EI32>> {
        compute(arr)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(kept(chunk)))
    }
}

fn main() {}
