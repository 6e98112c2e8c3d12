//! The second loop over blocks reads what other blocks write in the first.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len();
        distr_par(n, |b| for_all(1, |_| io.write(b, lit(1_u32))))?;
        distr_par(n, |b| for_all(1, |_| {
            let x = io.read(n - 1 - b)?;
            io.write(n - 1 - b, x + 1)
        }))
    }
}

fn main() {}
