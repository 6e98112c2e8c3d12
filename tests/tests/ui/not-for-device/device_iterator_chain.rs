//! A chain of iterators in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32]) -> f32 {
        t.iter().map(|x| x * x).sum()
    }
}

fn main() {}
