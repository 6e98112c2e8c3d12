//! Two arrays in turns, as a scatter.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let both = zip(x, y);
        let n = both.len();
        mk_push(2 * n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let two = || {
                        let (x, y) = both[i];
                        write(x, 2 * i)?;
                        write(y, 2 * i + 1)
                    };
                    cond(i < n, two(), pure(()))
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
        |device, x| {
            m::run::launch(
                device,
                &device.upload(x)?,
                &device.upload(&x.iter().map(|x| x * 7).collect::<Vec<u32>>())?,
            )
        },
        |x: &Vec<u32>| x.iter().flat_map(|x| [*x, x * 7]).collect(),
    );
}
