//! An array program takes arrays, and no references to them.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: &Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }
}

fn main() {}
