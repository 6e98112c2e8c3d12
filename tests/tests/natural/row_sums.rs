//! Sums of rows whose width is known at launch, a row a block.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        m.rows().as_grid_map(|row| {
            let part = |t: EU32| {
                seq_iterate(
                    (row.len() + 63 - t) / 64,
                    |k, s| s + row[k * 64 + t],
                    lit(0u32),
                )
            };
            let sum = || {
                let sums = compute(iota(64).as_block_map(|t| exec_thread_value(part(t))))?;
                pure(fold1(|x, y| x + y, sums).push())
            };
            exec_block(sum())
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        FULL_PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            samples::<u32>(h * w)
                .chunks(*w)
                .map(|row| row.iter().sum())
                .collect()
        },
    );
}
