//! `return` in a closure of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let half = |x: f32| {
            if x < 0.0 {
                return 0.0;
            }
            x / 2.0
        };
        half(x)
    }
}

fn main() {}
