//! Blocks follow each other in each round of a loop of the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = compute(reduce(|a, b| a + b, tile.clone()))?;
        let before = earlier(|a, b| a + b, 0, sum)?;
        pure(tile.map(|x| before[0] + x).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>, output: MGlobal<EU32>) -> Program<Grid, ()> {
        seq_for(2, |_| {
            let tiles = input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)));
            output.write_all(tiles)
        })
    }
}

fn main() {}
