//! An option that there is not.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays(fusion = false)]
    pub fn f(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }
}

fn main() {}
