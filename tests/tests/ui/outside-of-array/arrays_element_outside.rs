//! An element that there is not.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr1<EU32> {
        let xs = iota(3);
        iota(5).map(|i| i + xs.at(3))
    }
}

fn main() {}
