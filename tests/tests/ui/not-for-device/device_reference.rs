//! A reference to a number as the parameter of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: &f32) -> f32 {
        *x
    }
}

fn main() {}
