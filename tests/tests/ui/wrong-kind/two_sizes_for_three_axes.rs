//! A height and a width for an array that has a depth as well.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.as_3d(4, 4, 4).set_size((4, 16)).flat().push())
    }
}

fn main() {}
