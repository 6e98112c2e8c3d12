//! A variable by a wrong name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(width: f32) -> f32 {
        widht * 2.0
    }
}

fn main() {}
