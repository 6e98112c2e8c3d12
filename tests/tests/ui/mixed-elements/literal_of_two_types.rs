//! The numbers of an array that stands in a program are of one type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    const HALF: f32 = 0.5;
    const TWO: f64 = 2.0;

    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr1<EF32> {
        zip_with(|x, w| x * w, xs.take(2), literal(&[HALF, TWO]))
    }
}

fn main() {}
