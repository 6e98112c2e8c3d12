//! A sum a thread over elements 256 apart, with exact counts.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(lit(256u32), |write| {
            distr_par(1, |_| {
                for_all(256, |t| {
                    let s = seq_iterate((n + 255 - t) / 256, |k, s| s + x[k * 256 + t], lit(0u32))?;
                    write(s, t)
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
        |x: &Vec<u32>| {
            (0..256)
                .map(|t| x.iter().skip(t).step_by(256).sum())
                .collect()
        },
    );
}
