//! A comparison, which the kernel makes, in place of a precondition.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        require(x.len() == y.len());
        zip_with(|a, b| a + b, x, y)
            .split_up(64)
            .as_grid_map(|piece| piece.push())
    }
}

fn main() {}
