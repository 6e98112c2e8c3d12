//! Heat on a chip, from temperatures and powers: the two arrays may have different heights.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 256)]
    pub fn run(width: EU32, temp: DPull<EF32>, power: DPull<EF32>) -> DPush<Grid, EF32> {
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

}
