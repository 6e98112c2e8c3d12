//! A device value and a `usize` are added.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let places = vec![0, 1, 3];
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + places.len()).push())
    }
}

fn main() {}
