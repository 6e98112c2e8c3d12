//! A vector as the parameter of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: Vec<f32>, i: usize) -> f32 {
        t[i]
    }
}

fn main() {}
