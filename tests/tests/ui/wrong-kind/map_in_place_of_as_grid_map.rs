//! The pieces of a kernel are mapped, and not given to blocks.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).map(|chunk| chunk.push())
    }
}

fn main() {}
