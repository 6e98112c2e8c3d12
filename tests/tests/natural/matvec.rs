//! A matrix of any width times a vector, a row a thread.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(m: DPull<EF32>, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let width = x.len();
        let rows = m.len() / width;
        mk_push(rows, |write| {
            distr_par((rows + 63) / 64, |b| {
                for_all(64, |t| {
                    let y = b * 64 + t;
                    let row = || {
                        let s = seq_iterate(width, |k, s| s + m[y * width + k] * x[k], lit(0f32))?;
                        write(s, y)
                    };
                    cond(y < rows, row(), pure(()))
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
        FULL_PICTURES,
        |device, (h, w)| {
            m::run::launch(
                device,
                &device.upload(&small(h * w))?,
                &device.upload(&samples::<f32>(*w))?,
            )
        },
        |(h, w): &(usize, usize)| {
            small(h * w)
                .chunks(*w)
                .map(|row| {
                    row.iter()
                        .zip(samples::<f32>(*w))
                        .fold(0f32, |s, (a, x)| s + a * x)
                })
                .collect()
        },
    );
}
