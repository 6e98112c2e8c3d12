//! A block asks for what earlier ones have again and again.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sums = new_shared_mutable(1, 0u32)?;
        seq_for(4, |i| {
            let before = earlier(|a, b| a + b, 0, singleton(tile[i]))?;
            sums.write_all(before)?;
            sync()
        })?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    }
}

fn main() {}
