//! What a scan combines elements with is no loop.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.inclusive_scan(|x, y| seq_iterate(3, |i, n| n + i, x + y))
    }
}

fn main() {}
