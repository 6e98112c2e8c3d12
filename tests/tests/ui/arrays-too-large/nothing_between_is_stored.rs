//! Each link reads the one before at two indices, and none may be stored.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(x: Arr1<EU32>) -> Arr1<EU32> {
        let mut x = x;
        for i in 0..20u32 {
            x = zip_with(|a, b| a * b, x, x.rotate(1 << i)).inline();
        }
        x
    }
}

fn main() {}

// Write `compute()` in place of `inline()`.
