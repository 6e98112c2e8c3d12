//! A constant that is a struct.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    const ORIGIN: Point = Point { x: 0.0, y: 0.0 };

    #[device]
    pub fn f(p: Point) -> f32 {
        p.x - p.y
    }
}

fn main() {}
