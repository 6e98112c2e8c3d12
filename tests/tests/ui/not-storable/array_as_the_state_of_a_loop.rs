//! The state of a loop of one thread is an array of a block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sums(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sums = seq_iterate(8, |i, sums| zip_with(|a, b| a + b, sums, x.map(|y| y + i)), x)?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| exec_block(sums(piece)))
    }
}

fn main() {}

// Write `accumulate(|a, b| a + b, x, generate(8, |i| compute(x.map(|y| y + i))))?;` in place of `seq_iterate(8, |i, sums| zip_with(|a, b| a + b, sums, x.map(|y| y + i)), x)?;`.
