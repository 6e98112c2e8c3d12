//! A call of a function that is not marked.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn half(x: EF32) -> EF32 {
        x / 2.0
    }

    #[device]
    pub fn f(x: f32) -> f32 {
        half(x)
    }
}

fn main() {}

// Write `#[device] pub fn half(x: f32) -> f32` in place of `pub fn half(x: EF32) -> EF32`.
