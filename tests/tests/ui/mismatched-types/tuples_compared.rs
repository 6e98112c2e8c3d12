//! Tuples are compared, as Rust compares them.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<(EF32, EU32)>) -> DPush<Grid, (EF32, EU32)> {
        input.split_up(64).as_grid_map(|run| reduce(|a, b| select(a < b, a, b), run))
    }
}

fn main() {}

// Write `a.0 < b.0` in place of `a < b`.
