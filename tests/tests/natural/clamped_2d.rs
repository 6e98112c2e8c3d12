//! The right and lower neighbour of each pixel, clamped at the border.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = (m.height(), m.width());
        generate((h, w), |(y, x)| {
            m.at(((y + 1).min(h - 1), (x + 1).min(w - 1)))
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
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            picture(*h, *w, |at, y, x| {
                at((y + 1).min(*h as i64 - 1), (x + 1).min(*w as i64 - 1))
            })
        },
    );
}
