//! A function of a struct.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Default, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[device]
    pub fn f(x: f32) -> Point {
        Point { x, ..Point::default() }
    }
}

fn main() {}
