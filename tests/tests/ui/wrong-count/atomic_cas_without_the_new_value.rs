//! `atomic_cas` with one value.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(counts: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(1, |b| for_all(64, |i| counts.atomic_cas(i, 0).void()))
    }
}

fn main() {}
