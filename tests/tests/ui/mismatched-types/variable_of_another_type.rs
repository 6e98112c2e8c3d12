//! A variable is declared with another type than its value has.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| {
            let n: EU32 = x;
            n as EF32
        }).push())
    }
}

fn main() {}

// Write `= x as EU32;` in place of `= x;`.
