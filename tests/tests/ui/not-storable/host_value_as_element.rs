//! An array of host integers cannot be stored.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let one: i32 = 1;
        input.split_up(64).as_grid_map(|chunk| generate(64, |i| one).push())
    }
}

fn main() {}

// Write `|i| lit(one))` in place of `|i| one)`.
