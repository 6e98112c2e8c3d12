//! All blocks wait for each other.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(counts: MGlobal<EU32>) -> Program<Grid, ()> {
        sync()
    }
}

fn main() {}
