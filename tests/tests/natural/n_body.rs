//! Accelerations of bodies whose coordinates are arrays of their own.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EF32>, y: DPull<EF32>, mass: DPull<EF32>) -> DPush<Grid, (EF32, EF32)> {
        let n = x.len();
        require(y.len().equals(n));
        require(mass.len().equals(n));
        let force = |i: EU32| {
            seq_iterate(
                n,
                |j, (fx, fy)| {
                    let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
                    let d = dx * dx + dy * dy + 0.01;
                    let f = mass[j] / (d * d.sqrt());
                    (fx + f * dx, fy + f * dy)
                },
                (lit(0f32), lit(0f32)),
            )
        };
        generate(n, |i| i)
            .chunks(64, lit(0u32))
            .as_grid_map(|c| c.as_block_map(|i| exec_thread_value(force(i))))
            .take(n)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 2, 7, 65],
        |device, n| {
            m::run::launch(
                device,
                &device.upload(&small(*n))?,
                &device.upload(&samples::<f32>(*n))?,
                &device.upload(&small(*n))?,
            )
        },
        |n: &usize| {
            let (x, y) = (small(*n), samples::<f32>(*n));
            let force = |i: usize| {
                (0..*n).fold((0f32, 0f32), |(fx, fy), j| {
                    let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
                    let d = dx * dx + dy * dy + 0.01;
                    let f = x[j] / (d * d.sqrt());
                    (fx + f * dx, fy + f * dy)
                })
            };
            (0..*n).map(force).unzip()
        },
    );
}
