//! The elements of arrays are device values.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<f32>) -> Arr0<EF32> {
        fill((), 1.0)
    }
}

fn main() {}
