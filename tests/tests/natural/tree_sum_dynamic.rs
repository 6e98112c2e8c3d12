//! A tree reduction whose loop over threads shrinks on the device.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn sum(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a.push())?;
        seq_for(8, |r| {
            let half = lit(128u32) >> r;
            for_all(half, |t| {
                let x = m.read(t)?;
                let y = m.read(t + half)?;
                m.write(t, x + y)
            })
        })?;
        pure(m.push().take(1))
    }
    #[kernel(threads = 128)]
    pub fn run(a: DPull<EU32>) -> DPush<Grid, EU32> {
        a.split_up(256).as_grid_map(|c| exec_block(sum(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 256)),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| x.chunks(256).map(|c| c.iter().sum()).collect(),
    );
}
