//! An array program gives arrays.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> EF32 {
        xs.sum().the()
    }
}

fn main() {}
