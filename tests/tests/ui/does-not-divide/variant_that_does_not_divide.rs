//! Each variant has to be right: here one of three pieces does not divide 64.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = [32, 64], n = [8, 12, 16])]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(n).as_block_map(|piece| piece.push::<Thread>()))
    }
}

fn main() {}
