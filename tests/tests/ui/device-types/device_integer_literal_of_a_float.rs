//! A literal of a float has no point.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn twice(i: usize, x: &[f32]) -> f32 {
        x[i] * 2
    }
}

fn main() {}
