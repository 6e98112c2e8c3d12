//! An array program takes arrays of its own kind.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: DPull<EF32>) -> Arr1<EF32> {
        iota(3).map(|i| xs[i])
    }
}

fn main() {}
