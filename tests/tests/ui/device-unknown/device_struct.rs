//! A struct in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let p = Point { x, y: 1.0 };
        p.x + p.y
    }
}

fn main() {}

// Write `#[derive(Clone, Copy, Element)] pub struct Point { pub x: f32, pub y: f32 } #[device]` in place of `#[device]`.
