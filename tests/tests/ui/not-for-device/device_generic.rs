//! A generic device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f<T: Copy>(x: T) -> T {
        x
    }
}

fn main() {}
