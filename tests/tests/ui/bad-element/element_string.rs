//! A field that is no number.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub mass: f32,
        pub name: String,
    }

    #[device]
    pub fn f(b: Body) -> f32 {
        b.mass
    }
}

fn main() {}
