//! What is outside of the array stands in front of the function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.stencil(|w| w.at(1), Clamp)
    }
}

fn main() {}
