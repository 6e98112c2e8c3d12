//! A convolution whose number of taps is known at launch.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(taps: DPull<EF32>, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let n = x.len() - taps.len() + 1;
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let sum = || {
                        let s = seq_iterate(taps.len(), |k, s| s + taps[k] * x[i + k], lit(0f32))?;
                        write(s, i)
                    };
                    cond(i < n, sum(), pure(()))
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
        [(1, 1), (1, 100), (5, 5), (7, 64), (3, 300), (64, 257)],
        |device, (taps, n)| {
            m::run::launch(
                device,
                &device.upload(&small(*taps))?,
                &device.upload(&small(*n))?,
            )
        },
        |(taps, n): &(usize, usize)| {
            let (taps, x) = (small(*taps), small(*n));
            x.windows(taps.len())
                .map(|w| w.iter().zip(&taps).fold(0f32, |s, (x, t)| s + t * x))
                .collect()
        },
    );
}
