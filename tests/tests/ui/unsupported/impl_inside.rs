//! An impl in a kernel module.

use obsidian_rt::prelude::*;

pub struct Pair;

#[kernels]
pub mod m {
    impl super::Pair {
        pub fn first(&self) {}
    }
}

fn main() {}
