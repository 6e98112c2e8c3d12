//! Sums of ragged rows, given where each starts.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(starts: DPull<EU32>, values: DPull<EU32>) -> DPush<Grid, EU32> {
        let rows = starts.len() - 1;
        mk_push(rows, |write| {
            distr_par((rows + 255) / 256, |b| {
                for_all(256, |t| {
                    let r = b * 256 + t;
                    let sum = || {
                        let from = starts[r];
                        let until = starts[r + 1].min(values.len());
                        let s = seq_iterate(
                            select(until > from, until - from, 0),
                            |k, s| s + values[from + k],
                            lit(0u32),
                        )?;
                        write(s, r)
                    };
                    cond(r < rows, sum(), pure(()))
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
        rows(),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(s, v): &(Vec<u32>, Vec<u32>)| {
            s.windows(2)
                .map(|w| v[w[0] as usize..w[1] as usize].iter().sum())
                .collect()
        },
    );
}
