//! The largest element of all, by an atomic operation.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>, largest: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = x.len();
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                cond(i < n, largest.atomic_max(0, x[i]).void(), pure(()))
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
        |device, x| {
            let mut largest = device.upload(&[0u32])?;
            m::run::launch(device, &device.upload(x)?, &mut largest)?;
            Ok(largest)
        },
        |x: &Vec<u32>| vec![x.iter().copied().max().unwrap_or(0)],
    );
}
