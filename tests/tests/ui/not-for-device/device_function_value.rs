//! A device function as a value.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }

    #[device]
    pub fn f(x: f32) -> f32 {
        let g = half;
        g(x)
    }
}

fn main() {}
