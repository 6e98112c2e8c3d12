//! A generic struct as an element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[device]
    pub fn f(x: f32) -> f32 {
        x
    }
}

fn main() {}
