//! Arrays that go together have the same extents.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr1<EU32> {
        zip_with(|a, b| a + b, iota(3), fill(4, 1u32))
    }
}

fn main() {}
