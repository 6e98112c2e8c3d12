//! A field that is given another number.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: f32,
        pub mass: f32,
    }

    #[device]
    pub fn f(n: u32) -> Body {
        Body { at: 1.0, mass: n }
    }
}

fn main() {}
