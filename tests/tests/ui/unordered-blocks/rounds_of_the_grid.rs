//! A round of a loop of the grid reads what another thread has written in the round before.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len() / 64;
        seq_for::<Grid>(3, |r| {
            distr_par(n, |b| {
                for_all(64, |i| {
                    let x = io.read(b * 64 + i)?;
                    io.write(b * 64 + i, x + r)
                })?;
                sync()?;
                for_all(32, |i| {
                    let x = io.read(b * 64 + i + 32)?;
                    io.write(b * 64 + i, x)
                })
            })
        })
    }
}

fn main() {}
