//! The neighbours of an odd number of elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.take(63).pair().unpair().push())
    }
}

fn main() {}
