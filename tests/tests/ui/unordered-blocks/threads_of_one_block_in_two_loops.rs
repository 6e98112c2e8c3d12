//! The second loop over blocks reads what other threads of the same block write in the first.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len().min(out.len()) / 64;
        distr_par(n, |b| for_all(64, |i| io.write(b * 64 + i, b * 1000 + i)))?;
        distr_par(n, |b| {
            for_all(64, |i| {
                let x = io.read(b * 64 + 63 - i)?;
                out.write(b * 64 + i, x)
            })
        })
    }
}

fn main() {}
