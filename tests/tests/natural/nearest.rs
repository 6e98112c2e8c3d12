//! The number of the nearest of all centres, for each point.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(points: DPull<EF32>, centres: DPull<EF32>) -> DPush<Grid, EU32> {
        let nearest = |p: EF32| {
            let (_, best) = seq_iterate(
                centres.len(),
                |k, (d, best)| {
                    let e = (p - centres[k]).abs();
                    select(e < d, (e, k), (d, best))
                },
                (lit(f32::MAX), lit(0u32)),
            )?;
            pure(best)
        };
        points
            .chunks(256, 0.0)
            .as_grid_map(|c| c.as_block_map(|p| exec_thread_value(nearest(p))))
            .take(points.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        pairs(samples::<f32>, samples::<f32>),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(points, centres): &(Vec<f32>, Vec<f32>)| {
            let nearest = |p: &f32| {
                let closer = |(d, best): (f32, u32), (k, c): (u32, &f32)| {
                    let e = (p - c).abs();
                    if e < d { (e, k) } else { (d, best) }
                };
                (0..).zip(centres).fold((f32::MAX, 0), closer).1
            };
            points.iter().map(nearest).collect()
        },
    );
}
