//! A binary search of each key in a sorted table.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(keys: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        let found = |key: EU32| {
            let (low, _) = seq_until(
                |(low, high)| {
                    let mid = (low + high) / 2;
                    let below = table[mid] < key;
                    (select(below, mid + 1, low), select(below, high, mid))
                },
                |(low, high)| low < high,
                (lit(0u32), table.len()),
            )?;
            pure(low)
        };
        keys.chunks(256, lit(0u32))
            .as_grid_map(|c| c.as_block_map(|key| exec_thread_value(found(key))))
            .take(keys.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        pairs(samples::<u32>, sorted),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(k, t): &(Vec<u32>, Vec<u32>)| {
            k.iter()
                .map(|k| t.partition_point(|x| x < k) as u32)
                .collect()
        },
    );
}
