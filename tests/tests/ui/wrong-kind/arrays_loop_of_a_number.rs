//! The state of a loop is a number, and not an array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>, scale: EF32) -> Arr1<EF32> {
        let last = power(4, scale, |x| x * 2.0);
        xs.map(|x| x * last)
    }
}

fn main() {}
