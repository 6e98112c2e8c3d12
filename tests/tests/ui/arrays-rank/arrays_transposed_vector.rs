//! A vector has no columns to make rows of.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.transpose()
    }
}

fn main() {}
