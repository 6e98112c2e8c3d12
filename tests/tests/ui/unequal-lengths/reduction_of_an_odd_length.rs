//! The reduction of the README, of 100 elements: half of 25 are 12.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }

    #[kernel(threads = 64)]
    pub fn reductions(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(100).as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }
}

fn main() {}
