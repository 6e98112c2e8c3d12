//! `unzip` of an array whose elements are no pairs.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| unzip(chunk).0.push())
    }
}

fn main() {}
