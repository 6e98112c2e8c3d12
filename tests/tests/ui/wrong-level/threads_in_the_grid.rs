//! A program of a thread for each piece of the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_thread(pure(chunk.push())))
    }
}

fn main() {}

// Write `exec_block` in place of `exec_thread`.
