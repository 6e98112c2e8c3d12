//! Heat on a chip, from temperatures and powers of one size, which the message for `hotspot` proposes to
//! ask for.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 256)]
    pub fn run(width: EU32, temp: DPull<EF32>, power: DPull<EF32>) -> DPush<Grid, EF32> {
        require(power.len().equals(temp.len()));
        let t = temp.in_rows(width);
        let p = power.in_rows(width);
        let (h, w) = (t.height(), t.width());
        generate((h, w), |(y, x)| {
            let n = t.at((select(y == 0, y, y - 1), x));
            let s = t.at(((y + 1).min(h - 1), x));
            let l = t.at((y, select(x == 0, x, x - 1)));
            let r = t.at((y, (x + 1).min(w - 1)));
            let c = t.at((y, x));
            c + 0.25 * (p.at((y, x)) + (n + s - 2.0 * c) * 0.5 + (l + r - 2.0 * c) * 0.125)
        })
        .cover(16, 16)
        .as_grid_map(|tile| tile.push::<Block>())
        .crop(h, w)
        .flat()
    }
}

#[test]
fn agrees() {
    hold_near(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| {
            let [temp, power] = [small(h * w), small(h * w)];
            let (temp, power) = (device.upload(&temp)?, device.upload(&power)?);
            m::run::launch(device, *w as u32, &temp, &power)
        },
        |(h, w): &(usize, usize)| {
            let (h, w, x) = (*h, *w, small(h * w));
            let each = |i: usize| {
                let (y, c) = (i / w, i % w);
                let at = |y: usize, c: usize| x[y * w + c];
                let (n, s) = (at(y.saturating_sub(1), c), at((y + 1).min(h - 1), c));
                let (l, r) = (at(y, c.saturating_sub(1)), at(y, (c + 1).min(w - 1)));
                let c = x[i];
                c + 0.25 * (c + (n + s - 2.0 * c) * 0.5 + (l + r - 2.0 * c) * 0.125)
            };
            (0..h * w).map(each).collect()
        },
    );
}
