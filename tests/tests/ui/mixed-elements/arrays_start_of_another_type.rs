//! The start of a fold has the type of the elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.fold(|a, b| a + b, lit(0u32))
    }
}

fn main() {}
