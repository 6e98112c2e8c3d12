//! `#[kernels]` on a module in another file.

use obsidian_rt::prelude::*;

#[kernels]
mod elsewhere;

fn main() {}
