//! A pass of a bitonic network in place in global memory.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(m: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(m.len() / 512, |b| {
            for_all(256, |t| {
                let pair = b * 256 + t;
                let low = pair / 8 * 16 + pair % 8;
                let (x, y) = (m.read(low)?, m.read(low + 8)?);
                m.write(low, x.min(y))?;
                m.write(low + 8, x.max(y))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 512)),
        |device, x| {
            let mut io = device.upload(x)?;
            m::run::launch(device, &mut io)?;
            Ok(io)
        },
        |x: &Vec<u32>| {
            let mut x = x.clone();
            for run in x.chunks_mut(16) {
                for i in 0..8 {
                    let (a, b) = (run[i], run[i + 8]);
                    (run[i], run[i + 8]) = (a.min(b), a.max(b));
                }
            }
            x
        },
    );
}
