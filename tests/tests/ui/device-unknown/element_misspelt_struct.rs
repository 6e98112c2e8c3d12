//! A struct whose name is misspelt.

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
        Bdy { at: 1.0, ..b }
    }
}

fn main() {}
