//! A closure of the elements of a zip has two parameters.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(x, y).map(|x, y| x + y).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `|(x, y)| x + y` in place of `|x, y| x + y`.
