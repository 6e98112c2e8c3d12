//! Softmax of rows whose width is known at launch, a row a thread.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let m = x.in_rows(width);
        let height = m.height();
        mk_push(height * width, |write| {
            distr_par((height + 63) / 64, |b| {
                for_all(64, |t| {
                    let y = b * 64 + t;
                    let row = || {
                        let most = seq_iterate(width, |k, s| s.max(m.at((y, k))), lit(f32::MIN))?;
                        let sum =
                            seq_iterate(width, |k, s| s + (m.at((y, k)) - most).exp(), lit(0f32))?;
                        seq_for(width, |k| {
                            write((m.at((y, k)) - most).exp() / sum, y * width + k)
                        })
                    };
                    cond(y < height, row(), pure(()))
                })
            })
        })
    }
}

fn softmax(row: &[f32], sum: impl Fn(&[f32]) -> f32) -> Vec<f32> {
    let most = row.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
    let sum = sum(&powers);
    powers.iter().map(|x| x / sum).collect()
}

#[test]
fn agrees() {
    hold_near(
        &m::run::kernel(),
        m::run::CUDA,
        FULL_PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&small(h * w))?),
        |(h, w): &(usize, usize)| {
            small(h * w)
                .chunks(*w)
                .flat_map(|row| softmax(row, |p| p.iter().sum()))
                .collect()
        },
    );
}
