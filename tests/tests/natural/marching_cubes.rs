//! Which corners of each cube of a volume are below a number: the first step of marching cubes.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(h: EU32, w: EU32, iso: EU32, v: DPull<EU32>) -> DPush<Grid, EU32> {
        let d = v.len() / (h * w);
        let m = v.as_3d(d, h, w);
        generate((d - 1, h - 1, w - 1), |(z, y, x)| {
            let mut c = lit(0u32);
            for k in 0..8u32 {
                let corner = m.at((z + k / 4, y + k / 2 % 2, x + k % 2));
                c += select(corner < iso, lit(1u32 << k), 0);
            }
            c
        })
        .flat()
        .chunks(256, lit(0u32))
        .as_grid_map(|c| c.push())
        .take((d - 1) * (h - 1) * (w - 1))
    }
}

/// Depths, heights and widths.
const BOXES: [[usize; 3]; 6] = [
    [1, 1, 1],
    [1, 5, 3],
    [2, 2, 2],
    [3, 2, 33],
    [5, 9, 2],
    [4, 7, 16],
];

#[test]
fn agrees() {
    let volume = |n: usize| samples::<u32>(n).iter().map(|x| x % 64).collect::<Vec<_>>();
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        BOXES,
        |device, [d, h, w]| {
            let v = device.upload(&volume(d * h * w))?;
            m::run::launch(device, *h as u32, *w as u32, 20, &v)
        },
        |[d, h, w]: &[usize; 3]| {
            let v = volume(d * h * w);
            let below = |z: usize, y: usize, x: usize| v[(z * h + y) * w + x] < 20;
            let each = |z, y, x| {
                let corner = |k: usize| below(z + k / 4, y + k / 2 % 2, x + k % 2);
                (0..8).map(|k| u32::from(corner(k)) << k).sum::<u32>()
            };
            let mut all = Vec::new();
            for z in 0..d - 1 {
                for y in 0..h - 1 {
                    all.extend((0..w - 1).map(|x| each(z, y, x)));
                }
            }
            all
        },
    );
}
