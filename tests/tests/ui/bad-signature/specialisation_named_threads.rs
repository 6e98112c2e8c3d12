//! The number of real threads is no parameter of the function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(threads: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(threads).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
