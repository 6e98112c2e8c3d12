//! The condition of a loop has an element for each of the array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        awhile(xs, |xs| xs.map(|x| x > 1.0), |xs| xs.map(|x| x * 0.5))
    }
}

fn main() {}
