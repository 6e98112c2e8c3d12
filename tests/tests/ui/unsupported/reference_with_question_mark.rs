//! A reference in a function whose body may run later.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn f(arr: &Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let arr = compute(arr.reverse())?;
        pure(arr.push())
    }
}

fn main() {}
