//! Nine points of a picture with a zero border.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        let at = |y: EU32, x: EU32| {
            select(
                (y >= 1) & (x >= 1) & (y <= h) & (x <= w),
                m.at((y - 1, x - 1)),
                lit(0u32),
            )
        };
        generate((h, w), |(y, x)| {
            let mut sum = lit(0u32);
            for dy in 0..3u32 {
                for dx in 0..3u32 {
                    sum += at(y + dy, x + dx);
                }
            }
            sum
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
        PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            picture(*h, *w, |at, y, x| {
                (0..9).map(|k| at(y + k / 3 - 1, x + k % 3 - 1)).sum()
            })
        },
    );
}
