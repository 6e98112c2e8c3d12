//! A parameter that a device function changes.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: &mut f32) -> f32 {
        *x += 1.0;
        *x
    }
}

fn main() {}
