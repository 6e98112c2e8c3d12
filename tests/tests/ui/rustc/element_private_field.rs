//! A private field of a struct of another module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod other {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        mass: f32,
    }
}

#[kernels]
pub mod m {
    use super::other::Body;

    #[device]
    pub fn f(b: Body) -> f32 {
        b.mass
    }
}

fn main() {}
