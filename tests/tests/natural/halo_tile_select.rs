//! Tiles of 8 by 32 with a halo of 10 by 34 in shared memory: what is beyond the picture is 0.

use crate::prelude::*;

#[kernels]
pub mod m {
    fn tile(m: DPull2<EU32>, ty: EU32, tx: EU32) -> Program<Block, Push2<Block, EU32>> {
        let (h, w) = m.shape();
        let halo = compute(generate((10, 34), |(y, x)| {
            let (gy, gx) = (ty * 8 + y, tx * 32 + x);
            select((gy < h) & (gx < w), m.at((gy, gx)), lit(0u32))
        }))?;
        pure(
            generate((8, 32), |(y, x)| {
                halo.at((y, x)) + halo.at((y + 2, x + 1)) + halo.at((y + 1, x + 2))
            })
            .push(),
        )
    }

    #[kernel(threads = 256)]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        generate((h.div_ceil(8), w.div_ceil(32)), |(ty, tx)| (ty, tx))
            .as_grid_map(|(ty, tx)| exec_block(tile(m, ty, tx)))
            .crop(h, w)
            .flat()
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
                at(y, x) + at(y + 2, x + 1) + at(y + 1, x + 2)
            })
        },
    );
}
