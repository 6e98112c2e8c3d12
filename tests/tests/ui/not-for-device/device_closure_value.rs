//! A closure that is not bound to a name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        (|x: f32| x * 2.0)(x)
    }
}

fn main() {}
