//! An element that is read before anything runs.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr0<EU32> {
        xs.fold(|a, b| a + b, xs[0])
    }
}

fn main() {}
