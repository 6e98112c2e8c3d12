//! A length is the length of a `Vec`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let places = vec![0, 1, 3];
        input.split_up(64).as_grid_map(|chunk| chunk.take(places.len()).push())
    }
}

fn main() {}
