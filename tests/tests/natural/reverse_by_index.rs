//! A reversal written as `n - 1 - i`.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    cond(i < n, write(x[n - 1 - i], i), pure(()))
                })
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| x.iter().rev().copied().collect(),
    );
}
