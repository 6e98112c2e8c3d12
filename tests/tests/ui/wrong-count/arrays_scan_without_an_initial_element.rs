//! An exclusive scan has an initial element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.exclusive_scan(|x, y| x + y)
    }
}

fn main() {}

// Write `|x, y| x + y, 0)` in place of `|x, y| x + y)`.
