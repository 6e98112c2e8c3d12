//! A binary search of ten steps, written out.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(keys: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = table.len();
        let found = |key: EU32| {
            let mut at = lit(0u32);
            for s in (0..10u32).rev() {
                let p = at + (1u32 << s);
                at = select(select(p < m, table[p], lit(u32::MAX)) <= key, p, at);
            }
            at
        };
        keys.chunks(256, lit(0u32))
            .as_grid_map(|c| c.map(|key| found(key)).push())
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
                .map(|k| ((1..1024).take_while(|p| *p < t.len() && t[*p] <= *k)).count() as u32)
                .collect()
        },
    );
}
