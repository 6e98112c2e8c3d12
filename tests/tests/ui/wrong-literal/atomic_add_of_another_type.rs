//! A float is added to an integer, in one step.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>, counts: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(1, |b| for_all(64, |i| counts.atomic_add(input[i], 1.0).void()))
    }
}

fn main() {}
