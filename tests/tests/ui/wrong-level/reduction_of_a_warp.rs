//! A reduction of a warp for each piece of the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| reduce::<Warp>(|x, y| x + y, chunk))
    }
}

fn main() {}

// Write `reduce::<Block>` in place of `reduce::<Warp>`.
