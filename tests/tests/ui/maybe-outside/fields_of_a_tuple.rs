//! Elements with two fields are read at an index that depends on data.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<(EF32, EU32)>) -> DPush<Grid, (EF32, EU32)> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| input[x.1]).push())
    }
}

fn main() {}

// Write `chunk[x.1.min(63)]` in place of `input[x.1]`.
