//! Not all blocks ask for what earlier ones have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let own = singleton(tile[0]);
        single_thread(cond(tile[0] > 0, earlier(|a, b| a + b, 0, own).void(), pure(())))?;
        pure(tile.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    }
}

fn main() {}
