//! A type of kernels in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: EF32) -> EF32 {
        x
    }
}

fn main() {}
