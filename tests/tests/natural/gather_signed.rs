//! A gather by signed indices with a guard.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(indices: DPull<EI32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = table.len();
        indices
            .chunks(256, lit(0i32))
            .as_grid_map(|c| {
                c.map(|j| select((j >= 0) & (j < m as i32), table[j as u32], lit(0u32)))
                    .push()
            })
            .take(indices.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        pairs(samples::<i32>, samples::<u32>),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(k, t): &(Vec<i32>, Vec<u32>)| {
            k.iter()
                .map(|k| {
                    usize::try_from(*k)
                        .ok()
                        .and_then(|k| t.get(k))
                        .copied()
                        .unwrap_or(0)
                })
                .collect()
        },
    );
}
