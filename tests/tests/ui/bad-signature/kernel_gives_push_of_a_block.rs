//! A kernel gives a push array of the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Block, EI32> {
        input.push()
    }
}

fn main() {}
