//! A closure with `?` is a program, and not the array that it gives.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(64).as_grid_map(|row| {
            let row = compute(row)?;
            pure(row.reverse().push())
        })
    }
}

fn main() {}
