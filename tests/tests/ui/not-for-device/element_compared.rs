//! Two structs that are compared.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, PartialEq, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[device]
    pub fn f(p: Point, q: Point) -> bool {
        p == q
    }
}

fn main() {}
