//! A trait object as the parameter of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(f: &dyn Fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }
}

fn main() {}
