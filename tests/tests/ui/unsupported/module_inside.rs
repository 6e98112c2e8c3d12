//! A module in a kernel module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub mod inner {
        pub fn f() {}
    }
}

fn main() {}
