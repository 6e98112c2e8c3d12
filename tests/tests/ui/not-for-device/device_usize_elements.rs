//! A slice of `usize` as an input.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[usize], i: usize) -> usize {
        t[i]
    }
}

fn main() {}
