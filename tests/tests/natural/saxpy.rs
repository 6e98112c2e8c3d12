//! A product and a sum of two vectors of any length.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        zip_with(|x, y| a * x + y, x, y)
            .chunks(256, lit(0f32))
            .as_grid_map(|c| c.push())
            .take(x.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES,
        |device, n| {
            m::run::launch(
                device,
                0.5,
                &device.upload(&small(*n))?,
                &device.upload(&samples::<f32>(*n))?,
            )
        },
        |n: &usize| {
            small(*n)
                .iter()
                .zip(samples::<f32>(*n))
                .map(|(x, y)| 0.5 * x + y)
                .collect()
        },
    );
}
