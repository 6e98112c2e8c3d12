//! A `move` closure in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let twice = move || x * 2.0;
        twice()
    }
}

fn main() {}
