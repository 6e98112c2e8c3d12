//! Flags keep elements by another method than conditions.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>, flags: Arr1<EBool>) -> Arr1<EU32> {
        xs.filter(flags)
    }
}

fn main() {}
