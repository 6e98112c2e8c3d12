//! Numbers are no conditions.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EF32>) -> Arr0<EBool> {
        xs.all()
    }
}

fn main() {}
