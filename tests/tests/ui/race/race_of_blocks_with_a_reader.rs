//! A block reads what its neighbour writes: blocks never wait.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(io.len() / 64, |b| for_all(64, |i| {
            let x = io.read((b * 64 + i + 64) % io.len())?;
            io.write(b * 64 + i, x)
        }))
    }
}

fn main() {}
