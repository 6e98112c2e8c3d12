//! The number of blocks differs between the rounds of a loop of the grid.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len() / 64;
        seq_for::<Grid>(n, |r| {
            distr_par(r + 1, |b| for_all(64, |i| cond(b < n, io.write(b * 64 + i, r), pure(()))))
        })
    }
}

fn main() {}

// Write `distr_par(n, |b| for_all(64, |i| cond(b < n - r, io` in place of `distr_par(r + 1, |b| for_all(64, |i| cond(b < n, io`.
