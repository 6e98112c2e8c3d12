//! A range of four dimensions.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn f((a, b, c, d): (usize, usize, usize, usize)) -> f32 {
        (a + b + c + d) as f32
    }
}

fn main() {}
