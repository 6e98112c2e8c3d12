//! Sums of ragged rows, a warp a row.

use crate::prelude::*;

#[kernels]
pub mod m {
    fn row(starts: DPull<EU32>, values: DPull<EU32>, r: EU32) -> Program<Warp, Push<Warp, EU32>> {
        let from = starts[r];
        let until = starts[r + 1].min(values.len());
        let n = select(until > from, until - from, 0);
        let part = hold(
            generate(32, |lane| {
                exec_thread_value(seq_iterate(
                    (n + 31 - lane) / 32,
                    |k, s| s + values[(from + k * 32 + lane).min(values.len() - 1)],
                    lit(0u32),
                ))
            })
            .as_warp(),
        )?;
        pure(reduce(|a, b| a + b, part))
    }

    #[kernel(threads = 128)]
    pub fn run(starts: DPull<EU32>, values: DPull<EU32>) -> DPush<Grid, EU32> {
        let rows = starts.len() - 1;
        generate(rows, |r| r)
            .chunks(4, lit(0u32))
            .as_grid_map(|rs| {
                rs.map(|r| exec_warp(row(starts, values, r.min(rows - 1))))
                    .as_block()
            })
            .take(rows)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        rows().filter(|(_, values)| !values.is_empty()),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(s, v): &(Vec<u32>, Vec<u32>)| {
            s.windows(2)
                .map(|w| v[w[0] as usize..w[1] as usize].iter().sum())
                .collect()
        },
    );
}
