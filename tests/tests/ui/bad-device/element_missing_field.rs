//! A literal without one of the fields.

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
        Body { at: x }
    }
}

fn main() {}
