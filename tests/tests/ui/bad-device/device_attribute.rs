//! An option that `#[device]` does not have.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(threads = 64)]
    pub fn f(x: f32) -> f32 {
        x
    }
}

fn main() {}
