//! Each element and the one before it, in front of the first.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        generate(input.len(), |i| input[i] + input[i - 1]).chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(input.len())
    }
}

fn main() {}

// Write `select(i > 0, input[i - 1], 0.0)` in place of `input[i - 1]`.
