//! `if let` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        if let 0..=9 = x { 1 } else { 2 }
    }
}

fn main() {}
