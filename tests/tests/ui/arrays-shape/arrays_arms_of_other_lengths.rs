//! The arms of a choice give arrays of other extents.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(is_short: Arr0<EBool>) -> Arr1<EU32> {
        if_then(is_short, || iota(3), || iota(5))
    }
}

fn main() {}
