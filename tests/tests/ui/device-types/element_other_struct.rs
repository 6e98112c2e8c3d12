//! A struct for another one of the same fields.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[derive(Clone, Copy, Element)]
    pub struct Point {
        pub at: f32,
        pub mass: f32,
    }

    #[device]
    pub fn f(b: Body) -> f32 {
        b.mass
    }

    #[device]
    pub fn g(p: Point) -> f32 {
        f(p)
    }
}

fn main() {}
