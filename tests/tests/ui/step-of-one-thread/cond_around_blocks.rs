//! A condition of the grid around a loop over its blocks.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EU32>, some: EU32, out: MGlobal<EU32>) -> Program<Grid, ()> {
        let rest = distr_par(x.len() / 64, |b| {
            for_all(64, |i| out.write(b * 64 + i, x[b * 64 + i]))
        });
        cond(some > 3, rest, pure(()))
    }
}

fn main() {}
