//! A `vec!` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let v = vec![x, 2.0];
        v[0]
    }
}

fn main() {}
