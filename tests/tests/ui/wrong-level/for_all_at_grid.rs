//! A loop over the threads, where there are only blocks.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(counts: MGlobal<EU32>) -> Program<Grid, ()> {
        for_all(64, |i| counts.write(i, lit(0_u32)))
    }
}

fn main() {}

// Write `distr_par(counts.len() / 64, |block| for_all(64, |i| counts.write(block * 64 + i, lit(0_u32))))` in place of `for_all(64, |i| counts.write(i, lit(0_u32)))`.
