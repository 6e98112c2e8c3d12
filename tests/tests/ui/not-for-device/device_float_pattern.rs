//! A float in a pattern of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> u32 {
        match x {
            0.0 => 0,
            _ => 1,
        }
    }
}

fn main() {}
