//! A loop of the host over an array whose length is known only at launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| fold1(|x, y| x + y, chunk.to_dyn()).push())
    }
}

fn main() {}
