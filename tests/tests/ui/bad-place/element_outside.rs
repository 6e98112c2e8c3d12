//! An element outside of a kernels module.

use obsidian_rt::prelude::*;

#[derive(Clone, Copy, Element)]
pub struct Body {
    pub mass: f32,
}

fn main() {}
