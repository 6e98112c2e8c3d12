//! Three points with a zero border, by guards.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        generate(n, |i| {
            select(i >= 1, x[i - 1], lit(0u32)) + x[i] + select(i + 1 < n, x[i + 1], lit(0u32))
        })
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
        |x: &Vec<u32>| {
            let at = |i: usize| x.get(i).copied().unwrap_or(0);
            (0..x.len())
                .map(|i| at(i.wrapping_sub(1)) + at(i) + at(i + 1))
                .collect()
        },
    );
}
