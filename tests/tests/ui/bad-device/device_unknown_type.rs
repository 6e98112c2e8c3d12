//! A variable whose type nothing tells.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let y;
        x
    }
}

fn main() {}
