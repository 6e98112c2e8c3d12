//! Even elements in front, odd ones behind, as a scatter.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let to = select(i % 2 == 0, i / 2, (n + 1) / 2 + i / 2);
                    cond(i < n, write(x[i], to), pure(()))
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
        SIZES.map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            x.iter()
                .step_by(2)
                .chain(x.iter().skip(1).step_by(2))
                .copied()
                .collect()
        },
    );
}
