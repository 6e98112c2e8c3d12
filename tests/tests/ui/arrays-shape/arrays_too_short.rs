//! An array has not as many elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr1<EU32> {
        iota(3).take(4)
    }
}

fn main() {}

// Write `take(3)` in place of `take(4)`.
