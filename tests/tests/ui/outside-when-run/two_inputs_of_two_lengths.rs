//! One input is indexed by the length of the other.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(x.len(), |write| distr_par(x.len(), |b| for_all(1, |_| write(x[b] + y[b], b))))
    }
}

fn main() {}
