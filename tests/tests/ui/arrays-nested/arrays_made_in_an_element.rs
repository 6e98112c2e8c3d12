//! An element is no place for an array of its own.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| x + iota(5).map(|i| i * x).sum().the())
    }
}

fn main() {}

// Write `let ys = iota(5); xs.map(|x| { let sum = seq_iterate(5, |i, sum| sum + ys.at(i) * x, 0)?; pure(x + sum) })` in place of `xs.map(|x| x + iota(5).map(|i| i * x).sum().the())`.
