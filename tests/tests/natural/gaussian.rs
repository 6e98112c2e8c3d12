//! A 3 by 3 filter of bytes whose border is clamped.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU8>) -> DPush<Grid, EU8> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        let near = |y: EU32, x: EU32, dy: u32, dx: u32| {
            let y = (y + dy).max(1).min(h) - 1;
            let x = (x + dx).max(1).min(w) - 1;
            m.at((y, x)) as u32
        };
        generate((h, w), |(y, x)| {
            let mut sum = lit(0u32);
            for dy in 0..3u32 {
                for dx in 0..3u32 {
                    sum += near(y, x, dy, dx) * ((1 + dy % 2) * (1 + dx % 2));
                }
            }
            (sum / 16) as u8
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
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u8>(h * w))?),
        |(h, w): &(usize, usize)| {
            let x = samples::<u8>(h * w);
            let at = |y: i64, c: i64| {
                u32::from(
                    x[y.clamp(0, *h as i64 - 1) as usize * w + c.clamp(0, *w as i64 - 1) as usize],
                )
            };
            let weight = |k: i64| [1u32, 2, 1][k as usize];
            let each = |i: i64| {
                let (y, c) = (i / *w as i64, i % *w as i64);
                let sum: u32 = (0..9)
                    .map(|k| at(y + k / 3 - 1, c + k % 3 - 1) * weight(k / 3) * weight(k % 3))
                    .sum();
                (sum / 16) as u8
            };
            (0..(h * w) as i64).map(each).collect()
        },
    );
}
