//! A field that depends on the configuration.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Body {
        pub mass: f32,
        #[cfg(test)]
        pub mark: bool,
    }
}

fn main() {}
