//! A struct with named fields as a function.

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
        Body(x, x)
    }
}

fn main() {}
