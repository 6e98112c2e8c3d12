//! A device function that calls itself.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(n: u32) -> u32 {
        if n < 2 { n } else { f(n - 1) + f(n - 2) }
    }
}

fn main() {}
