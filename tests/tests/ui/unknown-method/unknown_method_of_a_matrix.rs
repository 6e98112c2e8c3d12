//! A method that a matrix does not have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.in_rows(8).transposed().push().flat())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
