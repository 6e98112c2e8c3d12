//! A recursion without an end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn reduce<L: Compute>(arr: Pull<EI32>) -> Program<L, Push<L, EI32>> {
        let arr = compute(arr.map(|x| x + 1))?;
        reduce(arr)
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(reduce(chunk)))
    }
}

fn main() {}

// Write `if arr.len() == 1 { return pure(arr.push()); } let (low, high) = arr.halve(); reduce(zip_with(|x, y| x + y, low, high)) }` in place of `reduce(arr) }`.
