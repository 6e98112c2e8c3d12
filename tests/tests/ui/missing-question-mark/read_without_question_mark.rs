//! `read` of a mutable array is a program.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EI32>) -> Program<Grid, ()> {
        distr_par(io.len() / 64, |b| for_all(64, |t| {
            let x = io.read(b * 64 + t);
            io.write(b * 64 + t, x + 1)
        }))
    }
}

fn main() {}
