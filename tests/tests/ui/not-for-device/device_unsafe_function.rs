//! An `unsafe` device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub unsafe fn f(x: f32) -> f32 {
        x
    }
}

fn main() {}
