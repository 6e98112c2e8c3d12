//! A struct of more than 64 numbers.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Large {
        pub a: [[f32; 8]; 8],
        pub b: bool,
    }
}

fn main() {}
