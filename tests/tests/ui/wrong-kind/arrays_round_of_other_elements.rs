//! An iteration gives other arrays than it takes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        power(4, xs, |xs| xs.sum())
    }
}

fn main() {}
