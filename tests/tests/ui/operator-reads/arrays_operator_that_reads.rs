//! What combines two elements reads no array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>, ys: Arr1<EU32>) -> Arr0<EU32> {
        xs.fold(|a, b| a + b * ys.at(0), 0)
    }
}

fn main() {}

// Write `zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0)` in place of `xs.fold(|a, b| a + b * ys.at(0), 0)`.
