//! A filter asks for a condition.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.filter(|x| x & 1)
    }
}

fn main() {}
