//! A trait in a kernel module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub trait Shape {
        fn area(&self) -> u32;
    }
}

fn main() {}
