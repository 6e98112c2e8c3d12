//! Blocks counted by `(n - 1) / 64 + 1`.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n - 1) / 64 + 1, |b| {
                for_all(64, |t| {
                    let i = b * 64 + t;
                    cond(i < n, write(x[i] * 3, i), pure(()))
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
        SIZES.into_iter().filter(|n| *n > 0).map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| x.iter().map(|x| x * 3).collect(),
    );
}
