//! A gather that takes the first element for an index outside.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(indices: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = table.len();
        indices
            .chunks(256, lit(0u32))
            .as_grid_map(|c| c.map(|k| table[select(k < m, k, 0)]).push())
            .take(indices.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        pairs(samples::<u32>, samples::<u32>),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(k, t): &(Vec<u32>, Vec<u32>)| {
            k.iter()
                .map(|k| *t.get(*k as usize).unwrap_or(&t[0]))
                .collect()
        },
    );
}
