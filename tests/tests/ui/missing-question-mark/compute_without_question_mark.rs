//! `compute` is a program.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn f(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let arr = compute(arr.reverse());
        pure(arr.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(f(chunk)))
    }
}

fn main() {}
