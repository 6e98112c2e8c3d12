//! A scan after an initial value of another type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|run| exclusive_scan(|x, y| x + y, lit(0_u32), run))
    }
}

fn main() {}
