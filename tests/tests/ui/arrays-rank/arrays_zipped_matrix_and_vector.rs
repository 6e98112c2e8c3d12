//! A matrix and a vector are no pair.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr2<EF32> {
        zip_with(|a, b| a * b, m, v)
    }
}

fn main() {}

// Write `zip_with(|a, b| a * b, m, v.replicate(m.shape().0))` in place of `zip_with(|a, b| a * b, m, v)`.
