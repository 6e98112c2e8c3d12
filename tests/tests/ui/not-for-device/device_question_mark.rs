//! `?` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: u32) -> u32 {
        let y = (x + 1)?;
        y
    }
}

fn main() {}
