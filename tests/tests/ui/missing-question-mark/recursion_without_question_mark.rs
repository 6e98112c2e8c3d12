//! A recursion forgets the `?` of `compute`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (low, high) = arr.halve();
        let half = compute(zip_with(|x, y| x + y, low, high));
        sum(half)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(sum(chunk)))
    }
}

fn main() {}
