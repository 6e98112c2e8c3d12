//! A struct without fields.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Nothing;
}

fn main() {}
