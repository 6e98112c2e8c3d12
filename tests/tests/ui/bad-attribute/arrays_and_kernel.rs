//! A function is a kernel or an array program.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }
}

fn main() {}
