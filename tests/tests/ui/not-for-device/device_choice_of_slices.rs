//! A choice of two slices.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(a: &[f32], b: &[f32], x: bool) -> f32 {
        let t = if x { a } else { b };
        t[0]
    }
}

fn main() {}
