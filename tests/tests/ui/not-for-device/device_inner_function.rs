//! A function inside of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        fn twice(x: f32) -> f32 {
            x * 2.0
        }
        twice(x)
    }
}

fn main() {}
