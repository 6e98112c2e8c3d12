//! Two accesses need one requirement of the launch: one error.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(x: DPull<EF32>, ids: DPull<EU32>) -> DPush<Grid, EF32> {
        let n = x.len();
        mk_push(ids.len(), |write| {
            distr_par(n.div_ceil(64), |block| {
                for_all(64, |t| {
                    let i = block * 64 + t;
                    cond(i < n, write(x[i], ids[i].unchecked().distinct()), pure(()))
                })
            })
        })
    }
}

fn main() {}

// Write `let n = x.len(); require(ids.len().equals(x.len()));` in place of `let n = x.len();`.
