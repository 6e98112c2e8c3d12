//! The largest of each two by two pixels.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(w: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(w);
        let (h, w) = m.shape();
        generate((h / 2, w / 2), |(y, x)| {
            m.at((2 * y, 2 * x))
                .max(m.at((2 * y + 1, 2 * x)))
                .max(m.at((2 * y, 2 * x + 1)))
                .max(m.at((2 * y + 1, 2 * x + 1)))
        })
        .cover(16, 16)
        .as_grid_map(|t| t.push::<Block>())
        .crop(h / 2, w / 2)
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
            let (x, columns) = (samples::<u32>(h * w), w / 2);
            let each = |y: usize, c: usize| {
                let row = |y: usize| x[y * w + 2 * c].max(x[y * w + 2 * c + 1]);
                row(2 * y).max(row(2 * y + 1))
            };
            let all = 0..h / 2 * columns;
            all.map(|i| each(i / columns, i % columns)).collect()
        },
    );
}
