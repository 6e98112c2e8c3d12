//! The sum of an array is one element, and still an array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn shares(xs: Arr1<EF32>) -> Arr1<EF32> {
        let sum = xs.sum();
        xs.map(|x| x / sum)
    }
}

fn main() {}
