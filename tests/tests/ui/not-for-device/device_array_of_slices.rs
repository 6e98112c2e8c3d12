//! An array of slices.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(a: &[f32], b: &[f32], i: usize) -> f32 {
        let both = [a, b];
        both[i % 2][0]
    }
}

fn main() {}
