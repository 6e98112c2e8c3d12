//! One step of a bitonic network in place: each element with its partner `i ^ j`.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(j: EU32, k: EU32, x: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = x.len();
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let p = i ^ j;
                let go = || {
                    let a = x.read(i)?;
                    let c = x.read(p)?;
                    let swap = || {
                        x.write(i, c)?;
                        x.write(p, a)
                    };
                    cond(select((i & k) == 0, a > c, a < c), swap(), pure(()))
                };
                cond((i < n) & (p < n) & (p > i), go(), pure(()))
            })
        })
    }
}

#[test]
fn agrees() {
    let steps = [(1, 2), (2, 4), (64, 128), (3, 1), (0, 1), (u32::MAX, 2)];
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.into_iter().flat_map(|n| steps.map(|step| (n, step))),
        |device, (n, (j, k))| {
            let mut io = device.upload(&samples::<u32>(*n))?;
            m::run::launch(device, *j, *k, &mut io)?;
            Ok(io)
        },
        |(n, (j, k)): &(usize, (u32, u32))| {
            let mut x = samples::<u32>(*n);
            for i in 0..*n {
                let p = i ^ *j as usize;
                let up = i as u32 & k == 0;
                if p < *n && p > i && (if up { x[i] > x[p] } else { x[i] < x[p] }) {
                    x.swap(i, p);
                }
            }
            x
        },
    );
}
