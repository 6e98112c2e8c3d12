//! A step of the game of life on a torus, with signed coordinates.

use crate::life::{bits, next};
use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        generate((h, w), |(y, x)| {
            let around = |dy: i32, dx: i32| {
                let (y, x) = (y as EI32 + dy, x as EI32 + dx);
                m.at((
                    y.rem_euclid(h as EI32) as EU32,
                    x.rem_euclid(w as EI32) as EU32,
                ))
            };
            let n = around(-1, -1)
                + around(-1, 0)
                + around(-1, 1)
                + around(0, -1)
                + around(0, 1)
                + around(1, -1)
                + around(1, 0)
                + around(1, 1);
            select(
                (n == 3) | ((n == 2) & (m.at((y, x)) == 1)),
                lit(1u32),
                lit(0u32),
            )
        })
        .cover(8, 32)
        .as_grid_map(|tile| tile.push::<Block>())
        .crop(h, w)
        .flat()
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        FULL_PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&bits(h * w))?),
        next,
    );
}
