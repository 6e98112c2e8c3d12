//! `lift_par` goes one level up, and here two are wanted.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| lift_par(chunk.split_up(4).map(|part| seq_scan(|x, y| x + y, part))))
    }
}

fn main() {}
