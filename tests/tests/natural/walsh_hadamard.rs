//! The Walsh-Hadamard transform of each 256 elements.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn transform(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let n = a.len();
        let mut a = a;
        for s in 0..n.ilog2() {
            let before = a;
            let d = 1u32 << s;
            a = compute(generate(n, |i| {
                let (x, y) = (before[i], before[i ^ d]);
                select((i & d) == 0, x + y, y - x)
            }))?;
        }
        pure(a.push())
    }
    #[kernel(threads = 256)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(256).as_grid_map(|c| exec_block(transform(c)))
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
            let mut x = x.clone();
            for c in x.chunks_mut(256) {
                for s in 0..8 {
                    for i in (0..256).filter(|i| i & (1 << s) == 0) {
                        let (a, b) = (c[i], c[i | 1 << s]);
                        (c[i], c[i | 1 << s]) = (a.wrapping_add(b), a.wrapping_sub(b));
                    }
                }
            }
            x
        },
    );
}
