//! Two inputs are read at one index.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        generate(x.len(), |i| x[i] + y[i]).chunks(64, 0.0).as_grid_map(|chunk| chunk.push()).take(x.len())
    }
}

fn main() {}

// Write `require(y.len().equals(x.len())); generate(x.len()` in place of `generate(x.len()`.
