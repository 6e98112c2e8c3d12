//! The elements of an array in opposite order, in place.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(m: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = m.len();
        distr_par((n / 2 + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let swap = || {
                    let (x, y) = (m.read(i)?, m.read(n - 1 - i)?);
                    m.write(i, y)?;
                    m.write(n - 1 - i, x)
                };
                cond(i < n / 2, swap(), pure(()))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| {
            let mut io = device.upload(x)?;
            m::run::launch(device, &mut io)?;
            Ok(io)
        },
        |x: &Vec<u32>| x.iter().rev().copied().collect(),
    );
}
