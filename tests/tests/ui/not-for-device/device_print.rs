//! Output in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        println!("{x}");
        x
    }
}

fn main() {}
