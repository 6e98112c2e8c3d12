//! `?` in an operand that may not run.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        if arr.len() > 1 && compute(arr)?.len() > 2 {
            return pure(arr.push());
        }
        pure(arr.push())
    }
}

fn main() {}
