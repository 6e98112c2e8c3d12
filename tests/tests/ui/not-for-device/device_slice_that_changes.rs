//! A variable that is one slice and then another.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(a: &[f32], b: &[f32], x: bool) -> f32 {
        let mut t = a;
        if x {
            t = b;
        }
        t[0]
    }
}

fn main() {}
