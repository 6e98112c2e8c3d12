//! A matrix has axes 0 and 1.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(m: Arr2<EF32>) -> Arr1<EF32> {
        m.axis(2).sum()
    }
}

fn main() {}
