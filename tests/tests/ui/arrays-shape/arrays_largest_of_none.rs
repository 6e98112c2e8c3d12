//! The largest element of rows without elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f() -> Arr1<EU32> {
        fill((0, 0), 1u32).max()
    }
}

fn main() {}

// Write `.fold(|a, b| a.max(b), 0)` in place of `.max()`.
