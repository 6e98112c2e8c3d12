//! A value of the device is matched.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| match x as EI32 { 0 => lit(1.0), _ => x }).push())
    }
}

fn main() {}

// Write `select(x as EI32 == 0, 1.0, x)` in place of `match x as EI32 { 0 => lit(1.0), _ => x }`.
