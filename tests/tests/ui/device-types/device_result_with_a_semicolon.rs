//! The result of a function ends with a semicolon.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn same(i: usize, x: &[f32]) -> f32 {
        x[i];
    }
}

fn main() {}
