//! A matrix is sorted.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr2<EU32>) -> Arr1<EU32> {
        xs.sort()
    }
}

fn main() {}
