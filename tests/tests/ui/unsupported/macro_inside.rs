//! A macro that the front end cannot see through.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        println!("{}", 1);
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
