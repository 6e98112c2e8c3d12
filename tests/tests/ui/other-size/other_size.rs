//! Rounds of `accumulate` with another number of columns than the sums.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sums(arr: Pull<EI32>) -> Program<Block, Pull2<EI32>> {
        accumulate(|x, y| x + y, generate((4, 4), |(y, x)| lit(0_i32)), arr.split_up(8).map(|part| compute(part.in_rows(2))))
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(sums(chunk)).flat())
    }
}

fn main() {}
