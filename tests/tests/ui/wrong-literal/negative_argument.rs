//! A negative number as an argument of an unsigned type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(x: EU32, y: EU32) -> EU32 {
        x + y
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.map(|x| sum(x, -1)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
