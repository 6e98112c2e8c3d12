//! Rounds of `accumulate2` with another number of columns than the sums.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sums(arr: Pull<EI32>) -> Program<Block, Pull2<EI32>> {
        accumulate2(|x, y| x + y, generate2(4, 4, |y, x| lit(0_i32)), arr.split_up(8).map(|part| compute2(part.in_rows(2))))
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block2(sums(chunk)).flat())
    }
}

fn main() {}
