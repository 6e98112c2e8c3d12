//! An integer and a float of the device, both in variables.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        generate(input.len(), |i| input.first() * i).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `* (i as EF32))` in place of `* i)`.
