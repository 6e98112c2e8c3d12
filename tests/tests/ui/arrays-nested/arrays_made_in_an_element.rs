//! An element is no place for an array that has to be stored.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| x + iota(5).map(|i| i ^ 3).sort()[1])
    }
}

fn main() {}

// Write `let ys = iota(5).map(|i| i ^ 3).sort(); xs.map(|x| x + ys.at(1))` in place of `xs.map(|x| x + iota(5).map(|i| i ^ 3).sort()[1])`.
