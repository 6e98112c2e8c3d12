//! `if` on what only the device knows, in a function that no kernel calls.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn absolute(x: EI32) -> EI32 {
        if x < 0 { -x } else { x }
    }
}

fn main() {}
