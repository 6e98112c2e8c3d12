//! A reference as a field.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Table {
        pub first: f32,
        pub rest: &'static [f32],
    }
}

fn main() {}
