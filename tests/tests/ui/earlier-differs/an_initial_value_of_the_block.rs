//! The initial value is the first element of the tile, which is another one in each block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let before = earlier(|a, b| a + b, tile[0], singleton(tile[1]))?;
        pure(tile.map(|x| before[0] + x).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    }
}

fn main() {}
