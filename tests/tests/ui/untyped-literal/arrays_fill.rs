//! Nothing tells the type of an element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr0<EU32> {
        unit(fill(3, 1.0).len())
    }
}

fn main() {}
