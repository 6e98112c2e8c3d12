//! A range whose first parameter is no coordinate.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device(range)]
    pub fn f(t: &[f32]) -> f32 {
        t[0]
    }
}

fn main() {}
