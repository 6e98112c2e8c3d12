//! A `static` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        static OFFSET: u32 = 3;
        x + OFFSET
    }
}

fn main() {}
