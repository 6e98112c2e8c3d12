//! A bitonic sort of 256 elements in shared memory by loops on the device.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn sort(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a.push())?;
        seq_for(8, |k| {
            seq_for(k + 1, |j| {
                let distance = lit(1u32) << (k - j);
                for_all(128, |t| {
                    let low = t / distance * distance * 2 + t % distance;
                    let up = (low >> (k + 1)) % 2 == 0;
                    let (x, y) = (m.read(low)?, m.read(low + distance)?);
                    m.write(low, select(up, x.min(y), x.max(y)))?;
                    m.write(low + distance, select(up, x.max(y), x.min(y)))
                })
            })
        })?;
        pure(m.push())
    }
    #[kernel(threads = 128)]
    pub fn run(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(256).as_grid_map(|c| exec_block(sort(c)))
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
            x.chunks_mut(256).for_each(<[u32]>::sort);
            x
        },
    );
}
