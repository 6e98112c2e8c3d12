//! A matrix product by flat indices, one element a thread.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(n: EU32, a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
        require(a.len().equals(n * n));
        require(b.len().equals(n * n));
        mk_push(n * n, |write| {
            distr_par((n * n + 255) / 256, |block| {
                for_all(256, |t| {
                    let i = block * 256 + t;
                    let (y, x) = (i / n, i % n);
                    let product = || {
                        let s = seq_iterate(n, |k, s| s + a[y * n + k] * b[k * n + x], lit(0f32))?;
                        write(s, i)
                    };
                    cond(i < n * n, product(), pure(()))
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
        [0, 1, 2, 7, 33],
        |device, n| {
            m::run::launch(
                device,
                *n as u32,
                &device.upload(&small(n * n))?,
                &device.upload(&small(n * n))?,
            )
        },
        |n: &usize| {
            let (n, a) = (*n, small(n * n));
            (0..n * n)
                .map(|i| (0..n).fold(0f32, |s, k| s + a[i / n * n + k] * a[k * n + i % n]))
                .collect()
        },
    );
}
