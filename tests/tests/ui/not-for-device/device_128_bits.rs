//! An integer of 128 bits in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u64) -> u64 {
        let wide = x as u128 * 3;
        (wide >> 64) as u64
    }
}

fn main() {}
