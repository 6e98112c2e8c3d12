//! What is outside of an array of tuples is a tuple.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<(EU32, EF32)>) -> Arr1<(EU32, EF32)> {
        xs.stencil(Constant(0), |w| w.at(1))
    }
}

fn main() {}

// Write `Constant((0, 0.0))` in place of `Constant(0)`.
