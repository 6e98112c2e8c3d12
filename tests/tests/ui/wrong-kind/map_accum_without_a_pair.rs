//! The function gives the next state, and no element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| map_accum_l(|sum, x| sum + x, lit(0_i32), part)))
    }
}

fn main() {}
