//! A scan whose function gives another type than its state has.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| seq_scan(|x, y| (x + y) as f32, part)))
    }
}

fn main() {}
