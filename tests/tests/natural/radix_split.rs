//! A pass of a radix sort by one bit of each 64 elements.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn split(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros = generate(64, |i| select(a[i] % 2 == 0, lit(1u32), lit(0u32)));
        let before = compute(singleton(zeros).as_block_map(|z| seq_scan(|x, y| x + y, z)))?;
        let all = before[63];
        pure(mk_push(64, |write| {
            for_all(64, |i| {
                let to = select(a[i] % 2 == 0, before[i] - 1, all + i - before[i]);
                write(a[i], to)
            })
        }))
    }
    #[kernel(threads = 64)]
    pub fn run(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(64).as_grid_map(|c| exec_block(split(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 64)),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let split = |c: &[u32]| {
                let (even, odd): (Vec<u32>, Vec<u32>) = c.iter().partition(|x| *x % 2 == 0);
                [even, odd].concat()
            };
            x.chunks(64).flat_map(split).collect()
        },
    );
}

}
