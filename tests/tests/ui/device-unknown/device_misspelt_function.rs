//! A device function by a wrong name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }

    #[device]
    pub fn f(x: f32) -> f32 {
        haf(x)
    }
}

fn main() {}

// Write `half(x)` in place of `haf(x)`.
