//! The second half of a scan: each block adds the sum of all before it.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>, sums: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(sums.len().equals((n + 255) / 256));
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let before = select(b > 0, sums[b - 1], 0);
                    cond(i < n, write(x[i] + before, i), pure(()))
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
        SIZES.map(|n| (samples::<u32>(n), samples::<u32>(n.div_ceil(256)))),
        |device, (x, y)| m::run::launch(device, &device.upload(x)?, &device.upload(y)?),
        |(x, s): &(Vec<u32>, Vec<u32>)| {
            x.iter()
                .enumerate()
                .map(|(i, x)| if i < 256 { *x } else { x + s[i / 256 - 1] })
                .collect()
        },
    );
}
