//! Sums of 8, and rounds of 4.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(accumulate(|x, y| x + y, replicate(8, lit(0u32)), chunk.split_up(4).map(|p| compute(p)))))
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
