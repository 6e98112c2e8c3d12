//! A tuple struct with too few values.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Pair(pub f32, pub f32);

    #[device]
    pub fn f(x: f32) -> Pair {
        Pair(x)
    }
}

fn main() {}
