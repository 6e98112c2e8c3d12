//! A volume, mirrored along all three axes.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(h: EU32, w: EU32, v: DPull<EU32>) -> DPush<Grid, EU32> {
        let d = v.len() / (h * w);
        let m = v.as_3d(d, h, w);
        generate((d, h, w), |(z, y, x)| {
            m.at((d - 1 - z, h - 1 - y, w - 1 - x))
        })
        .flat()
        .chunks(256, lit(0u32))
        .as_grid_map(|c| c.push())
        .take(v.len())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [
            [0, 3, 5],
            [1, 1, 1],
            [2, 0, 3],
            [3, 2, 1],
            [5, 7, 33],
            [2, 16, 16],
        ],
        |device, [d, h, w]| {
            let v = device.upload(&samples::<u32>(d * h * w))?;
            m::run::launch(device, *h as u32, *w as u32, &v)
        },
        |[d, h, w]: &[usize; 3]| {
            let mut v = samples::<u32>(d * h * w);
            v.reverse();
            v
        },
    );
}
