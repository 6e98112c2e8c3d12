//! A `char` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u8) -> bool {
        x as char == 'a'
    }
}

fn main() {}
