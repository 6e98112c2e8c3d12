//! A method as a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(&self, x: f32) -> f32 {
        x
    }
}

fn main() {}
