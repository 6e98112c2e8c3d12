//! Seven points of a box of 16 by 16 columns, with a zero border.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        let depth = n / 256;
        generate(n, |i| {
            let (z, y, c) = (i / 256, i / 16 % 16, i % 16);
            x[i] * 2
                + select(c > 0, x[i - 1], lit(0u32))
                + select(c < 15, x[i + 1], lit(0u32))
                + select(y > 0, x[i - 16], lit(0u32))
                + select(y < 15, x[i + 16], lit(0u32))
                + select(z > 0, x[i - 256], lit(0u32))
                + select(z + 1 < depth, x[i + 256], lit(0u32))
        })
        .split_up(256)
        .as_grid_map(|c| c.push())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 256)),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let each = |i: usize| {
                let (y, c) = (i / 16 % 16, i % 16);
                let at = |there: bool, i: usize| {
                    if there {
                        x.get(i).copied().unwrap_or(0)
                    } else {
                        0
                    }
                };
                x[i] * 2
                    + at(c > 0, i.wrapping_sub(1))
                    + at(c < 15, i + 1)
                    + at(y > 0, i.wrapping_sub(16))
                    + at(y < 15, i + 16)
                    + at(i >= 256, i.wrapping_sub(256))
                    + at(true, i + 256)
            };
            (0..x.len()).map(each).collect()
        },
    );
}
