//! The sum of a vector is no matrix.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr2<EU32> {
        xs.sum().map(|x| x + 1)
    }
}

fn main() {}
