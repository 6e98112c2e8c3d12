//! A step of Jacobi's method; the border stays.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        generate((h, w), |(y, x)| {
            let inner = (y >= 1) & (y + 1 < h) & (x >= 1) & (x + 1 < w);
            let mean =
                (m.at((y - 1, x)) + m.at((y + 1, x)) + m.at((y, x - 1)) + m.at((y, x + 1))) * 0.25;
            select(inner, mean, m.at((y, x)))
        })
        .cover(16, 16)
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
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&small(h * w))?),
        |(h, w): &(usize, usize)| {
            let x = small(h * w);
            let each = |i: usize| {
                let (y, c) = (i / w, i % w);
                if y == 0 || y + 1 == *h || c == 0 || c + 1 == *w {
                    return x[i];
                }
                (x[i - w] + x[i + w] + x[i - 1] + x[i + 1]) * 0.25
            };
            (0..h * w).map(each).collect()
        },
    );
}
