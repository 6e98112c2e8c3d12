//! Device functions that call each other.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn odd(n: u32) -> bool {
        n != 0 && f(n - 1)
    }

    #[device]
    pub fn f(n: u32) -> bool {
        n == 0 || odd(n - 1)
    }
}

fn main() {}
