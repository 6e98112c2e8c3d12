//! A loop that is to be unrolled by no rounds.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push::<Block>().unroll(0))
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
