//! 64 elements in 2 to the power of 7 parts.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| unsafe_bin_split(7, |part| part.reverse(), chunk).push())
    }
}

fn main() {}
