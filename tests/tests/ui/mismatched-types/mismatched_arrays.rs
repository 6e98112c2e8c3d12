//! Two arrays whose elements cannot be added.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(a: DPull<EI32>, b: DPull<EF32>) -> DPush<Grid, EI32> {
        zip_with(|x, y| x + y, a, b).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
