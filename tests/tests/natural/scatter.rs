//! Elements written where an array of indices says, which are distinct.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    cond(i < n, write(x[i], to[i]), pure(()))
                })
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(|n| ((0..n as u32).rev().collect::<Vec<u32>>(), samples::<u32>(n))),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(_, x): &(Vec<u32>, Vec<u32>)| x.iter().rev().copied().collect(),
    );
}

}
