//! `#[kernels]` goes on a module.

use obsidian_rt::prelude::*;

#[kernels]
pub fn f() {}

fn main() {}
