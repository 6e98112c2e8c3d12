//! A struct that has the name of a function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    #[allow(non_camel_case_types)]
    pub struct body {
        pub mass: f32,
    }

    #[device]
    pub fn body(x: f32) -> f32 {
        x
    }
}

fn main() {}
