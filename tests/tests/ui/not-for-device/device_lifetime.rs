//! A lifetime in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f<'a>(x: &'a [f32]) -> f32 {
        x[0]
    }
}

fn main() {}
