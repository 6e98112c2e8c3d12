//! The size of the chunks is an argument of the launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(n: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.chunks(n, 0.0).as_grid_map(|chunk| chunk.push()).take(input.len())
    }
}

fn main() {}

// Write `#[kernel(n = 64)]` in place of `#[kernel]`.
// Write `n: u32` in place of `n: EU32`.
