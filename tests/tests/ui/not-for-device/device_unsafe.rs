//! An `unsafe` block in a device function.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32]) -> f32 {
        unsafe { *t.as_ptr() }
    }
}

fn main() {}
