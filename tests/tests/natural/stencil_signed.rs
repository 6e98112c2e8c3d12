//! Five points with a zero border, by guards of signed indices.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        let at = |j: EI32| select((j >= 0) & (j < n as EI32), x[j as EU32], 0);
        generate(n, |i| {
            let i = i as EI32;
            at(i - 2) + at(i - 1) + x[i as EU32] + at(i + 1) + at(i + 2)
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
                .map(|i| {
                    let near = [-2, -1, 0, 1, 2].map(|d| at(i.wrapping_add_signed(d)));
                    near.into_iter().fold(0, u32::wrapping_add)
                })
                .collect()
        },
    );
}
