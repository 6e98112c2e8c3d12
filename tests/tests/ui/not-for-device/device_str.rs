//! A text in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: &str) -> u32 {
        x.len() as u32
    }
}

fn main() {}
