//! Sums that start anew where a flag is set, in each 64 elements.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn segments(a: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, EU32>> {
        let n = a.len();
        let mut a = compute(a)?;
        for s in 0..n.ilog2() {
            let before = a;
            let d = 1u32 << s;
            a = compute(generate(n, |i| {
                let (f, x) = before[i];
                let (g, y) = before[i - d];
                select(i >= d, (f | g, select(f != 0, x, x + y)), (f, x))
            }))?;
        }
        pure(a.map(|(_, x)| x).push())
    }
    #[kernel(threads = 64)]
    pub fn run(flags: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(flags, x)
            .split_up(64)
            .as_grid_map(|c| exec_block(segments(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| {
            (
                samples::<u32>(n * 64)
                    .iter()
                    .map(|x| u32::from(x % 5 == 0))
                    .collect::<Vec<u32>>(),
                samples::<u32>(n * 64),
            )
        }),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(flags, x): &(Vec<u32>, Vec<u32>)| {
            let mut sum = 0;
            let mut each = |(i, (flag, x)): (usize, (&u32, &u32))| {
                sum = if *flag != 0 || i % 64 == 0 {
                    *x
                } else {
                    sum + x
                };
                sum
            };
            flags.iter().zip(x).enumerate().map(&mut each).collect()
        },
    );
}
