//! A macro of the standard library in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> bool {
        matches!(x, 1..=3)
    }
}

fn main() {}
