//! The work of a warp is given to each thread.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| lift_in(chunk.split_up(32).map(|part| exec_warp(compute(part)))))
    }
}

fn main() {}
