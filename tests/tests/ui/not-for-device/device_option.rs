//! An `Option` as the result of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> Option<f32> {
        Some(x)
    }
}

fn main() {}
