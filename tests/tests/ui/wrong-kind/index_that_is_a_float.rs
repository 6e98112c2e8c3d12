//! An element is the index of another one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| generate(64, |i| chunk[chunk[i]]).push())
    }
}

fn main() {}

// Write `chunk[(chunk[i] as EU32).min(chunk.len() - 1)]` in place of `chunk[chunk[i]]`.
