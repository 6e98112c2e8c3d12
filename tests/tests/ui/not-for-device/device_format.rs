//! `format!` in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let _text = format!("{x}");
        x
    }
}

fn main() {}
