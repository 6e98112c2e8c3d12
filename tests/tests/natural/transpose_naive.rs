//! A transposition, row by row.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(n.multiple_of(width));
        let height = n / width;
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let (y, c) = (i / width, i % width);
                    cond(i < n, write(x[i], c * height + y), pure(()))
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
        FULL_PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            let x = samples::<u32>(h * w);
            (0..h * w).map(|i| x[i % h * w + i / h]).collect()
        },
    );
}
