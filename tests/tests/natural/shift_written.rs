//! A cyclic shift by an argument, as a scatter.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(k: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    cond(i < n, write(x[i], (i + k) % n), pure(()))
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
        [(1, 0), (7, 3), (64, 64), (300, 1000), (257, 5)],
        |device, (n, k)| m::run::launch(device, *k, &device.upload(&samples::<u32>(*n))?),
        |(n, k): &(usize, u32)| {
            let mut x = samples::<u32>(*n);
            x.rotate_right(*k as usize % n);
            x
        },
    );
}

}
