//! Tuples are not added up.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<(EF32, EF32)>) -> Arr0<EF32> {
        xs.sum()
    }
}

fn main() {}
