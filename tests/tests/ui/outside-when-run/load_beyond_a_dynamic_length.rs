//! The last block reads beyond the input.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(input.len(), |write| distr_par(input.len(), |b| for_all(1, |_| write(input[b + 1], b))))
    }
}

fn main() {}
