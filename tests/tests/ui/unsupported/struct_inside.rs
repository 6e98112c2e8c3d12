//! A struct in a kernel module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub struct Pair {
        pub first: EI32,
    }
}

fn main() {}
