//! Every variant is built while the crate compiles, so there is a largest number of them.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(
        a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        b = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        c = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    )]
    pub fn k(a: u32, b: u32, c: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(a * b * c).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
