//! A literal with a field that a struct does not have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device]
    pub fn f(b: Body) -> Body {
        Body { speed: 1.0, ..b }
    }
}

fn main() {}
