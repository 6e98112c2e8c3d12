//! The row of a matrix is an array, too.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>, m: Arr2<EU32>) -> Arr1<EU32> {
        xs.map(|x| m.row(1)[x])
    }
}

fn main() {}
