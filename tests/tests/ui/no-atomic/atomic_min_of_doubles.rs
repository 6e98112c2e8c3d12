//! The device has no atomic minimum of floats.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>, counts: MGlobal<EF64>) -> Program<Grid, ()> {
        distr_par(1, |b| for_all(64, |i| counts.atomic_min(input[i], 1.0).void()))
    }
}

fn main() {}
