//! Pieces of a size that is known only when the kernel runs.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(n: EU32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
