//! Two parameters with one name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>, xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.map(|x| x + 1.0)
    }
}

fn main() {}
