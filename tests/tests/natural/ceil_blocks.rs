//! One thread an element, in `(n + 63) / 64` blocks, with a guard.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n + 63) / 64, |b| {
                for_all(64, |t| {
                    let i = b * 64 + t;
                    cond(i < n, write(x[i] + 1, i), pure(()))
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
        |x: &Vec<u32>| x.iter().map(|x| x + 1).collect(),
    );
}
