//! A length is required to be at most another one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        require(x.len().at_most(y.len()));
        generate(x.len(), |i| x[i] + y[i]).chunks(64, 0.0).as_grid_map(|p| p.push()).take(x.len())
    }
}

fn main() {}

// Write `let n = x.len().min(y.len());` in place of `require(x.len().at_most(y.len()));`.
// Write `generate(n,` in place of `generate(x.len(),`.
// Write `take(n)` in place of `take(x.len())`.
