//! A closure changes a name of the function around it.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let mut total = 0;
        let shifted = input.map(|x| {
            total = total + 1;
            x + total
        });
        shifted.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
