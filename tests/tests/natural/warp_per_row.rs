//! A matrix of rows of 128 times a vector, a warp a row.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn row_sum(a: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mut a = a;
        while a.len() > 1 {
            let (x, y) = a.halve();
            a = compute(zip_with(|x, y| x + y, x, y))?;
        }
        pure(a.push())
    }
    #[kernel(threads = 128)]
    pub fn run(m: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let x = x.from_dyn(128);
        m.split_up(512).as_grid_map(|rows| {
            rows.split_up(128)
                .as_block_map(|row| exec_warp(row_sum(zip_with(|a, b| a * b, row, x))))
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| (samples::<u32>(n * 512), samples::<u32>(128))),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(m, x): &(Vec<u32>, Vec<u32>)| {
            m.chunks(128)
                .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
                .collect()
        },
    );
}
