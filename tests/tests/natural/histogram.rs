//! A histogram of any number of bins in global memory.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>, bins: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = x.len();
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                cond(
                    i < n,
                    bins.atomic_add(x[i] % bins.len(), 1).void(),
                    pure(()),
                )
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        pairs(samples::<u32>, samples::<u32>),
        |device, (x, bins)| {
            let mut bins = device.upload(&vec![0u32; bins.len()])?;
            m::run::launch(device, &device.upload(x)?, &mut bins)?;
            Ok(bins)
        },
        |(x, bins): &(Vec<u32>, Vec<u32>)| {
            (0..bins.len() as u32)
                .map(|b| x.iter().filter(|x| **x % bins.len() as u32 == b).count() as u32)
                .collect()
        },
    );
}
