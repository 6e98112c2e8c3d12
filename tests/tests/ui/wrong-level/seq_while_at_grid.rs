//! A loop of the grid whose end is found out by the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(io: MGlobal<EU32>, n: EU32) -> Program<Grid, ()> {
        seq_while(
            pure(n > 3),
            distr_par(io.len() / 64, |b| {
                for_all(64, |i| io.write(b * 64 + i, i))
            }),
        )
    }
}

fn main() {}
