//! A function of values has no place for an assertion.

use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    #[kernel(threads = 32)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let checked = input.map(|x| {
            assert!(x > 0, "positive");
            x
        });
        checked.split_up(32).as_grid_map(|piece| piece.push())
    }
}

fn main() {}
