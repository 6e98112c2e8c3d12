//! Arrays have up to three axes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(a: Arr3<EF32>) -> Arr3<EF32> {
        a.replicate(4)
    }
}

fn main() {}
