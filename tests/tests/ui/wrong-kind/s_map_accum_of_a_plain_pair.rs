//! The function gives a pair, and not a program with a pair.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| s_map_accum(|sum, part| (sum, part.push::<Block>()), lit(0_i32), chunk.split_up(32)))
    }
}

fn main() {}
