//! Element 3 of 3.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let weights = vec![1, 2, 3];
        input.map(|x| x * weights[3]).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
