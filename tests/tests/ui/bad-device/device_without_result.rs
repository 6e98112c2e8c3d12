//! A device function without a result.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) {
        let _ = x;
    }
}

fn main() {}
