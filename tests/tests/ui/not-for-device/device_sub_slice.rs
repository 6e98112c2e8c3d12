//! A slice of a slice in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32]) -> f32 {
        let rest = &t[1..];
        rest[0]
    }
}

fn main() {}
