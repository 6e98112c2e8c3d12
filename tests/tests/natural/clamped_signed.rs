//! The left neighbour of each element, by a signed clamp.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        generate(n, |i| x[(i as i32 - 1).max(0).min(n as i32 - 1) as u32])
            .chunks(256, lit(0u32))
            .as_grid_map(|c| c.push())
            .take(n)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| (0..x.len()).map(|i| x[i.saturating_sub(1)]).collect(),
    );
}
