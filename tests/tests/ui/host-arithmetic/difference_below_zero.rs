//! A difference of the host is below 0.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = 2_u32 - 3;
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + n).push())
    }
}

fn main() {}
