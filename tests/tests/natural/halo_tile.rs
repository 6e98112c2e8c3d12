//! A 16 by 16 tile with a halo in shared memory, for a picture of any size.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn blur(x: Pull2<EU32, EU32>, ty: EU32, tx: EU32) -> Program<Block, Pull<EU32>> {
        let (h, w) = (x.height(), x.width());
        let tile = compute(generate(18 * 18, |k| {
            let (y, c) = (ty * 16 + k / 18, tx * 16 + k % 18);
            select(
                (y >= 1) & (y <= h) & (c >= 1) & (c <= w),
                x.at((y - 1, c - 1)),
                lit(0u32),
            )
        }))?;
        pure(generate(256, |k| {
            let at = k / 16 * 18 + k % 16;
            tile[at]
                + tile[at + 1]
                + tile[at + 2]
                + tile[at + 18]
                + tile[at + 19]
                + tile[at + 20]
                + tile[at + 36]
                + tile[at + 37]
                + tile[at + 38]
        }))
    }
    #[kernel(threads = 256)]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let x = x.in_rows(width);
        let (h, w) = (x.height(), x.width());
        mk_push(h * w, |write| {
            distr_par((h + 15) / 16 * ((w + 15) / 16), |b| {
                let (ty, tx) = (b / ((w + 15) / 16), b % ((w + 15) / 16));
                let tile = blur(x, ty, tx)?;
                for_all(256, |t| {
                    let (y, c) = (ty * 16 + t / 16, tx * 16 + t % 16);
                    cond((y < h) & (c < w), write(tile[t], y * w + c), pure(()))
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
            picture(*h, *w, |at, y, x| {
                (0..9).map(|k| at(y + k / 3 - 1, x + k % 3 - 1)).sum()
            })
        },
    );
}
