//! The function of a fold stands in front of the initial element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr0<EU32> {
        xs.fold(0, |x, y| x + y)
    }
}

fn main() {}
