//! Tiles of 4 rows and 8 columns are put together as tiles of 8 rows and 4 columns.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| chunk.in_rows(8).tiles(4, 8).untile(8, 4).push().flat())
    }
}

fn main() {}
