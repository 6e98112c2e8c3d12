//! A stride that is an argument may be 0.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>, stride: EU32) -> Program<Grid, ()> {
        distr_par(io.len() / 64, |b| for_all(64, |i| io.write((b * 64 + i) * stride % io.len(), i)))
    }
}

fn main() {}
