//! A tuple as the argument of a range.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn f(i: usize, w: (f32, f32)) -> f32 {
        w.0 * i as f32 + w.1
    }
}

fn main() {}
