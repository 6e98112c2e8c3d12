//! The initial element of a scan is no array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.exclusive_scan(|x, y| x + y, xs.sum())
    }
}

fn main() {}

// Write `{ let total = xs.sum(); xs.exclusive_scan(|x, y| x + y, 0.0).map(|x| x + total.the()) }` in place of `xs.exclusive_scan(|x, y| x + y, xs.sum())`.
