//! A method that arrays of array programs have not.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.summ()
    }
}

fn main() {}
