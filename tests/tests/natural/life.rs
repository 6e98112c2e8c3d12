//! A step of the game of life on a torus.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        generate((h, w), |(y, x)| {
            let (up, down) = ((y + h - 1) % h, (y + 1) % h);
            let (left, right) = ((x + w - 1) % w, (x + 1) % w);
            let n = m.at((up, left))
                + m.at((up, x))
                + m.at((up, right))
                + m.at((y, left))
                + m.at((y, right))
                + m.at((down, left))
                + m.at((down, x))
                + m.at((down, right));
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

/// Cells, of which a third are alive.
pub fn bits(n: usize) -> Vec<u32> {
    samples::<u32>(n)
        .iter()
        .map(|x| u32::from(x % 3 == 0))
        .collect()
}

/// The step on the host.
pub fn next((h, w): &(usize, usize)) -> Vec<u32> {
    let x = bits(h * w);
    let alive = |y: usize, c: usize| x[y % h * w + c % w];
    let each = |i: usize| {
        let (y, c) = (i / w + h, i % w + w);
        let n: u32 = (0..9)
            .filter(|k| *k != 4)
            .map(|k| alive(y + k / 3 - 1, c + k % 3 - 1))
            .sum();
        u32::from(n == 3 || n == 2 && x[i] == 1)
    };
    (0..h * w).map(each).collect()
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
