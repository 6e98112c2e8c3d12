//! The streaming step of a lattice Boltzmann method: nine planes, each moved by a step of its own, around
//! the borders.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(w: EU32, f: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = f.len() / 9;
        let h = n / w;
        require(f.len().equals(h * w * 9));
        let m = f.as_3d(lit(9), h, w);
        generate((lit(9), h, w), |(k, y, x)| {
            m.at((k, (y + h + k / 3 - 1) % h, (x + w + k % 3 - 1) % w)) * 3
        })
        .flat()
        .chunks(256, lit(0u32))
        .as_grid_map(|c| c.push())
        .take(h * w * 9)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| {
            m::run::launch(
                device,
                *w as u32,
                &device.upload(&samples::<u32>(9 * h * w))?,
            )
        },
        |(h, w): &(usize, usize)| {
            let (h, w, x) = (*h, *w, samples::<u32>(9 * h * w));
            let each = |i: usize| {
                let (k, y, c) = (i / (h * w), i / w % h, i % w);
                let (y, c) = ((y + h + k / 3 - 1) % h, (c + w + k % 3 - 1) % w);
                x[(k * h + y) * w + c].wrapping_mul(3)
            };
            (0..9 * h * w).map(each).collect()
        },
    );
}
