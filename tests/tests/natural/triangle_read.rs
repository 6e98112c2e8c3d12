//! A symmetric matrix of which the lower triangle is stored, times a vector.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(packed: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        let element = |y: EU32, c: EU32| {
            let (y, c) = (y.max(c), y.min(c));
            packed[(y * (y + 1) / 2 + c).min(packed.len() - 1)]
        };
        let row = |y: EU32| seq_iterate(n, |c, s| s + element(y, c) * x[c], lit(0u32));
        generate(n, |i| i)
            .chunks(64, lit(0u32))
            .as_grid_map(|c| c.as_block_map(|y| exec_thread_value(row(y))))
            .take(n)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [1, 2, 7, 65],
        |device, n| {
            m::run::launch(
                device,
                &device.upload(&samples::<u32>(n * (n + 1) / 2))?,
                &device.upload(&samples::<u32>(*n))?,
            )
        },
        |n: &usize| {
            let (p, x) = (samples::<u32>(n * (n + 1) / 2), samples::<u32>(*n));
            let at = |y: usize, c: usize| p[y.max(c) * (y.max(c) + 1) / 2 + y.min(c)];
            (0..*n)
                .map(|y| (0..*n).map(|c| at(y, c) * x[c]).sum())
                .collect()
        },
    );
}
