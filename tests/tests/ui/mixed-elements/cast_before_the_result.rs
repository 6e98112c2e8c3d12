//! All elements are cast, and the result is declared otherwise.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let whole = input.map(|x| x as EI32);
        whole.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `DPush<Grid, EI32>` in place of `DPush<Grid, EF32>`.
