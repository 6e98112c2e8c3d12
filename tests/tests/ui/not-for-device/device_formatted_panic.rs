//! A panic with formatting in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        if x > 9 {
            panic!("{x} is too much");
        }
        x
    }
}

fn main() {}
