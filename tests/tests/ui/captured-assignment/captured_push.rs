//! A closure pushes to a vector of the function around it.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let mut seen = Vec::new();
        let same = input.map(|x| {
            seen.push(1);
            x
        });
        same.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
