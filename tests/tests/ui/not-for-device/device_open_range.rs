//! A range without an end in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        for i in 0.. {
            if i * i > x {
                return i;
            }
        }
        0
    }
}

fn main() {}
