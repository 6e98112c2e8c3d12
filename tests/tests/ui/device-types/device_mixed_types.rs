//! Two number types in one sum.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32, n: u32) -> f32 {
        x * n
    }
}

fn main() {}
