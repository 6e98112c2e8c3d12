//! A field of a struct that is not there.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub at: Point,
        pub mass: f32,
    }
}

fn main() {}
