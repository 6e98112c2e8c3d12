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

// Write `-> Program<Grid, ()> { distr_par(counts.len() / 64, |b| for_all(64, |i| counts.write(b * 64 + i, i))) }` in place of `-> MGlobal<EU32> { counts }`.
