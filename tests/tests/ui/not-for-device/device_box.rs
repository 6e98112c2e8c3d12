//! An allocation in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let b = Box::new(x);
        *b
    }
}

fn main() {}
