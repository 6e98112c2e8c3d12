//! Each third element.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = (x.len() + 2) / 3;
        generate(n, |i| x[3 * i])
            .chunks(256, 0)
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
        |x: &Vec<u32>| x.iter().step_by(3).copied().collect(),
    );
}
