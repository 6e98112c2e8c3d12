//! A macro reads no files: a tuned file needs a build script.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(n = [8, 16], tuned = "tuned.txt")]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
