//! Nothing says at which level the inner arrays are.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).map(|part| part.push()).as_block())
    }
}

fn main() {}
