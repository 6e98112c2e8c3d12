//! The inner arrays have 0, 1, 2 .. elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        generate(input.len(), |i| input.take(i).push()).as_grid()
    }
}

fn main() {}

// Write `input.split_up(64).map(|piece| piece.push())` in place of `generate(input.len(), |i| input.take(i).push())`.
