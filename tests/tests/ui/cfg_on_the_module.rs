//! `cfg` below `#[kernels]`.

use obsidian_rt::prelude::*;

#[kernels]
#[cfg(unix)]
pub mod m {}

fn main() {}
