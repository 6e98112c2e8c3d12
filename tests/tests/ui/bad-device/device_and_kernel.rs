//! A device function that is a kernel too.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    #[device]
    pub fn f(x: f32) -> f32 {
        x
    }
}

fn main() {}
