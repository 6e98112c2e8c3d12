//! An option that `#[kernels]` does not have.

use obsidian_rt::prelude::*;

#[kernels(fast)]
pub mod m {}

fn main() {}
