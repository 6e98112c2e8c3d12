//! An index that is no `usize`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32], i: u32) -> f32 {
        t[i]
    }
}

fn main() {}

// Write `t[i as usize]` in place of `t[i]`.
