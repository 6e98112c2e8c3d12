//! A literal with a field twice.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device]
    pub fn f(x: f32) -> Body {
        Body { at: x, mass: x, at: 1.0 }
    }
}

fn main() {}
