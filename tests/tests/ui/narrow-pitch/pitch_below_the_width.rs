//! Rows of 8 that begin 7 apart.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(compute_pitch(7, chunk.in_rows(8))).flat())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
