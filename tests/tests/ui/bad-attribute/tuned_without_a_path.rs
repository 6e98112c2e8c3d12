//! `tuned` takes a path.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = [8, 16], tuned = true)]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
