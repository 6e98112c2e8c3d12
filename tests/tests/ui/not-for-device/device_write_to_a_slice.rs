//! An assignment to an element of an input.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32]) -> f32 {
        t[0] = 1.0;
        t[0]
    }
}

fn main() {}
