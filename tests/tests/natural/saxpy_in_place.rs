//! A product and a sum of two vectors into the second.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(a: EF32, x: DPull<EF32>, y: MGlobal<EF32>) -> Program<Grid, ()> {
        let n = y.len();
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let step = || {
                    let old = y.read(i)?;
                    y.write(i, a * x[i] + old)
                };
                cond((i < n) & (i < x.len()), step(), pure(()))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES,
        |device, n| {
            let mut y = device.upload(&samples::<f32>(*n))?;
            m::run::launch(device, 0.5, &device.upload(&small(*n))?, &mut y)?;
            Ok(y)
        },
        |n: &usize| {
            small(*n)
                .iter()
                .zip(samples::<f32>(*n))
                .map(|(x, y)| 0.5 * x + y)
                .collect()
        },
    );
}
