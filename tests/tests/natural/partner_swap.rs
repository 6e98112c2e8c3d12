//! Neighbours exchanged in place: `i` with `i ^ 1`.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = x.len();
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let p = i ^ 1;
                let go = || {
                    let a = x.read(i)?;
                    let c = x.read(p)?;
                    x.write(i, c)?;
                    x.write(p, a)
                };
                cond((p < n) & (p > i), go(), pure(()))
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
        |x: &Vec<u32>| {
            let mut x = x.clone();
            x.chunks_exact_mut(2).for_each(|pair| pair.reverse());
            x
        },
    );
}
