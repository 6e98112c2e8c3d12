//! A tuple with a number whose size depends on the machine, as the argument of a range.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn f(i: usize, w: (f32, usize)) -> f32 {
        w.0 * (i + w.1) as f32
    }
}

fn main() {}
