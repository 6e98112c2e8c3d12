//! Each thread takes elements 16,384 apart, as CUDA's loops over the grid do.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 256)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par(64, |b| {
                for_all(256, |t| {
                    let first = b * 256 + t;
                    seq_for((n + 16383 - first) / 16384, |k| {
                        let i = k * 16384 + first;
                        write(x[i] + 1, i)
                    })
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
        [0, 1, 2, 255, 1000, 16384, 16385, 40000].map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| x.iter().map(|x| x + 1).collect(),
    );
}
