//! Pieces without elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.chunks(0, lit(0_i32)).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
