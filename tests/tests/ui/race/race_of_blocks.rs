//! All blocks write the first elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(io: MGlobal<EU32>, input: DPull<EU32>) -> Program<Grid, ()> {
        distr_par(input.len() / 64, |b| for_all(64, |i| io.write(i, input[b * 64 + i])))
    }
}

fn main() {}
