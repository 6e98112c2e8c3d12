//! A function declares a push array, and gives a pull array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn turned(chunk: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(chunk)?;
        pure(stored.reverse())
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    }
}

fn main() {}
