//! Nothing tells the type of an element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr1<EF32> {
        fill(3, 1.0)
    }
}

fn main() {}
