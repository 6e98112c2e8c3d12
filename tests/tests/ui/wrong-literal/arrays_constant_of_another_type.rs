//! What is outside of an array has the type of its elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        xs.stencil(Constant(1), |w| w.at(1))
    }
}

fn main() {}
