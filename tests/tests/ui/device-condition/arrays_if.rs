//! An array program is the same for all numbers of a run.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(k: EU32, xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
        if k > 3 { xs } else { ys }
    }
}

fn main() {}
