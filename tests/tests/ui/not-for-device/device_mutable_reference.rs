//! `&mut` in the body of a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let mut y = x;
        let r = &mut y;
        *r
    }
}

fn main() {}
