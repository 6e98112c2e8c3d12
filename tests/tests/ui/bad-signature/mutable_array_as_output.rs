//! A kernel gives a mutable array back.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(counts: MGlobal<EU32>) -> MGlobal<EU32> {
        counts
    }
}

fn main() {}
