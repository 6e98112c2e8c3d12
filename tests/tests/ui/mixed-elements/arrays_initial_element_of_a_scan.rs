//! What stands in front of a scan has the type of the elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.exclusive_scan(|x, y| x + y, 0u32)
    }
}

fn main() {}
