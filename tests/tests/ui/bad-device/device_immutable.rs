//! An assignment to a variable that does not change.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(x: f32) -> f32 {
        let y = x;
        y += 1.0;
        y
    }
}

fn main() {}
