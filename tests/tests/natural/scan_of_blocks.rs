//! Sums of all beginnings in each 256 elements, in log n steps.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn scan(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let n = a.len();
        let mut a = compute(a)?;
        for s in 0..n.ilog2() {
            let before = a;
            let d = 1u32 << s;
            a = compute(generate(n, |i| {
                select(i >= d, before[i - d] + before[i], before[i])
            }))?;
        }
        pure(a.push())
    }
    #[kernel(threads = 256)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks(256, 0)
            .as_grid_map(|c| exec_block(scan(c)))
            .take(x.len())
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
            x.chunks(256)
                .flat_map(|c| {
                    c.iter().scan(0, |s, x| {
                        *s += x;
                        Some(*s)
                    })
                })
                .collect()
        },
    );
}
