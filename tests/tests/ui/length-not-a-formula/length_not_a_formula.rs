//! A length that a launch cannot work out.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(n: EU32) -> DPush<Grid, EU32> {
        generate(n ^ 1, |i| i).chunks(64, lit(0_u32)).as_grid_map(|chunk| chunk.push()).padded()
    }
}

fn main() {}

// Write `n + 1` in place of `n ^ 1`.
