//! An element of a matrix has two numbers.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EF32>) -> Arr1<EF32> {
        iota(5).map(|i| m.at(i))
    }
}

fn main() {}
