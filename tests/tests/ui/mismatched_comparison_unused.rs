//! `i32 < f32`, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn less(x: EI32, y: EF32) -> EBool {
        x < y
    }
}

fn main() {}
