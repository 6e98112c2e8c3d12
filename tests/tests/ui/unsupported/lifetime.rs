//! A function with a lifetime.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn same<'a>(x: &'a Pull<EF32>) -> &'a Pull<EF32> {
        x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| same(&chunk).push())
    }
}

fn main() {}

// Write `same(x: Pull<EF32>) -> Pull<EF32>` in place of `same<'a>(x: &'a Pull<EF32>) -> &'a Pull<EF32>`.
// Write `same(chunk)` in place of `same(&chunk)`.
