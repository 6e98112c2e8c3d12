//! `debug_assert!` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        debug_assert!(x > 0.0);
        x.sqrt()
    }
}

fn main() {}
