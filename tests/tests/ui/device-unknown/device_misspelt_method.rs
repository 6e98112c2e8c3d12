//! A method by a wrong name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        x.squrt()
    }
}

fn main() {}
