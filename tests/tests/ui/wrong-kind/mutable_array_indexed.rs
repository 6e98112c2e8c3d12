//! A mutable array is read as if it never changed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>, counts: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(1, |b| for_all(64, |i| counts.write(i, counts[i] + input[i])))
    }
}

fn main() {}
