//! A function of the standard library in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32, y: f32) -> f32 {
        let (mut x, mut y) = (x, y);
        std::mem::swap(&mut x, &mut y);
        x
    }
}

fn main() {}
