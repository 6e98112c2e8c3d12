//! A struct of another module by its path.

use obsidian_rt::prelude::*;

#[kernels]
pub mod other {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub mass: f32,
    }
}

#[kernels]
pub mod m {
    #[device]
    pub fn f(b: super::other::Body) -> f32 {
        b.mass
    }
}

fn main() {}
