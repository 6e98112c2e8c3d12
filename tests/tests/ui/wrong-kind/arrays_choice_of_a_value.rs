//! What decides between two arrays is a value, and not an array of one.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>, n: EU32) -> Arr1<EF32> {
        if_then(n > 3, || xs, || xs.reverse())
    }
}

fn main() {}
