//! An enum as an element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub enum Kind {
        Small,
        Large,
    }

    #[device]
    pub fn f(x: f32) -> f32 {
        x
    }
}

fn main() {}
