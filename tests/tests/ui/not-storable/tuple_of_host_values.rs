//! A pair of host values as an element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, (EI32, EI32)> {
        let one: i32 = 1;
        input.map(|x| (x, one)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
