//! The rounds of `accumulate` are programs, and not push arrays.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn column_sums(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let rows = x.split_up(8).map(|row| row.map(|x| x * x).push());
        let sums = accumulate(|a, b| a + b, replicate(8, lit(0u32)), rows)?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| exec_block(column_sums(piece)))
    }
}

fn main() {}

// Write `|row| compute(row.map(|x| x * x)));` in place of `|row| row.map(|x| x * x).push());`.
