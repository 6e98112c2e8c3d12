//! A pull array is pushed at the grid, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn stored(arr: Pull<EI32>) -> Push<Grid, EI32> {
        arr.push()
    }
}

fn main() {}
