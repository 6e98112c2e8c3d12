//! The second of two outputs is declared with another type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> (DPush<Grid, EI32>, DPush<Grid, EF32>) {
        let first = input.split_up(64).as_grid_map(|chunk| chunk.push());
        let second = input.split_up(64).as_grid_map(|chunk| chunk.reverse().push());
        (first, second)
    }
}

fn main() {}
