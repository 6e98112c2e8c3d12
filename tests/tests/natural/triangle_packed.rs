//! The lower triangle of rows, written one after another.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(n: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        require(x.len().equals(n * n));
        let m = x.in_rows(n);
        mk_push(n * (n + 1) / 2, |write| {
            distr_par(n, |y| {
                for_all(y + 1, |x| write(m.at((y, x)), y * (y + 1) / 2 + x))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 2, 7, 33, 64],
        |device, n| m::run::launch(device, *n as u32, &device.upload(&samples::<u32>(n * n))?),
        |n: &usize| {
            let x = samples::<u32>(n * n);
            (0..*n)
                .flat_map(|y| x[y * n..=y * n + y].to_vec())
                .collect()
        },
    );
}
