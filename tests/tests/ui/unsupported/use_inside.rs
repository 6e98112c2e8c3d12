//! `use` of the standard library in a kernel module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    use std::collections::BTreeMap;
}

fn main() {}
