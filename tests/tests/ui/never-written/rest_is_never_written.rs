//! The rest of a length that is no multiple of 64 is not written.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(input.len(), |write| distr_par(input.len() / 64, |b| for_all(64, |i| write(input[b * 64 + i], b * 64 + i))))
    }
}

fn main() {}
