//! `let .. else` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        let 0..=9 = x else { return 1 };
        2
    }
}

fn main() {}
