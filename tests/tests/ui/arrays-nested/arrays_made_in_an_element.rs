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
