//! A push array of a warp that a function declares as one of a block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn more(x: Pull<EU32>) -> Push<Block, EU32> {
        x.map(|x| x + 1).push::<Warp>()
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(more)
    }
}

fn main() {}
