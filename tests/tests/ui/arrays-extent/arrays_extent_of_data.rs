//! How long an array is depends on its data.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        iota(xs.at(0))
    }
}

fn main() {}

// Write `iota(xs.slice_inner(0).known())` in place of `iota(xs.at(0))`.
