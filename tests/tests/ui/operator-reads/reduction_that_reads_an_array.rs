//! A reduction whose function reads an array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|run| reduce(|x, y| x + y * run[0], run))
    }
}

fn main() {}

// Write `reduce(|(x, u), (y, v)| (x + y * u, v), zip(run, run)).map(|(x, u)| x)` in place of `reduce(|x, y| x + y * run[0], run)`.
