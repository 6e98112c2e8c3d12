//! Rows of 32 that begin 31 apart.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(compute_as(Pitch(31), chunk).map(|a| a.push())))
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
