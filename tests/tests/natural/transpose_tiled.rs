//! A transposition by tiles of 32 by 32 in shared memory.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn turn(x: Pull2<EU32, EU32>, ty: EU32, tx: EU32) -> Program<Block, Pull<EU32>> {
        let (h, w) = (x.height(), x.width());
        compute(generate(1024, |k| {
            let (y, c) = (ty * 32 + k / 32, tx * 32 + k % 32);
            select((y < h) & (c < w), x.at((y, c)), lit(0u32))
        }))
    }
    #[kernel(threads = 256)]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let x = x.in_rows(width);
        let (h, w) = (x.height(), x.width());
        let across = (w + 31) / 32;
        mk_push(h * w, |write| {
            distr_par((h + 31) / 32 * across, |b| {
                let (ty, tx) = (b / across, b % across);
                let tile = turn(x, ty, tx)?;
                for_all(1024, |t| {
                    let (c, y) = (tx * 32 + t / 32, ty * 32 + t % 32);
                    cond(
                        (y < h) & (c < w),
                        write(tile[t % 32 * 32 + t / 32], c * h + y),
                        pure(()),
                    )
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
        PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            let x = samples::<u32>(h * w);
            (0..h * w).map(|i| x[i % h * w + i / h]).collect()
        },
    );
}
