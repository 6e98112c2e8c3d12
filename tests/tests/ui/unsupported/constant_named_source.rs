//! A constant that has the name of the module's tokens.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    const SOURCE: u32 = 3;
}

fn main() {}
