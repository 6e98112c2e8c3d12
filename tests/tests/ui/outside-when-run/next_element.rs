//! Each element and the next one, beyond the end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        generate(input.len(), |i| input[i] + input[i + 1]).chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(input.len())
    }
}

fn main() {}

// Write `input[(i + 1) % input.len()]` in place of `input[i + 1]`.
