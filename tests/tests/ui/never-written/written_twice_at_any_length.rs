//! Neighbouring blocks overlap by a half, whatever the length.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(input.len(), |write| distr_par(input.len() / 64, |b| for_all(64, |i| write(input[b * 64 + i], b * 32 + i))))
    }
}

fn main() {}
