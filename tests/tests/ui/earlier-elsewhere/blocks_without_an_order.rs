//! A block asks for what earlier ones have, and the blocks have no order.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = compute(reduce(|a, b| a + b, tile.clone()))?;
        let before = earlier(|a, b| a + b, 0, sum)?;
        pure(tile.map(|x| before[0] + x).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|tile| exec_block(shifted(tile)))
    }
}

fn main() {}
// Write `as_grid_ordered` in place of `as_grid_map`.
