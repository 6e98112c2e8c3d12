//! Edges of a grey picture by Sobel's operator, with rows and columns of `i32` that are clamped.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, image: DPull<EU8>) -> DPush<Grid, EU8> {
        let m = image.in_rows(width);
        let (h, w) = m.shape();
        generate((h, w), |(y, x)| {
            let at = |dy: i32, dx: i32| {
                let yy = (y as i32 + dy).max(0).min(h as i32 - 1);
                let xx = (x as i32 + dx).max(0).min(w as i32 - 1);
                m.at((yy as u32, xx as u32)) as i32
            };
            let gx = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
            let gy = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
            (gx.abs() + gy.abs()).min(255) as u8
        })
        .cover(16, 16)
        .as_grid_map(|t| t.push::<Block>())
        .crop(h, w)
        .flat()
    }
}

fn image((h, w): (usize, usize)) -> Vec<u8> {
    (0..h * w).map(|i| (i * i * 7 % 251) as u8).collect()
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, size| m::run::launch(device, size.1 as u32, &device.upload(&image(*size))?),
        |size: &(usize, usize)| {
            let (image, h, w) = (image(*size), size.0 as i32, size.1 as i32);
            let at = |y: i32, x: i32| {
                let (y, x) = (y.clamp(0, h - 1), x.clamp(0, w - 1));
                i32::from(image[(y * w + x) as usize])
            };
            let each = |y: i32, x: i32| {
                let column = |x| at(y - 1, x) + 2 * at(y, x) + at(y + 1, x);
                let row = |y| at(y, x - 1) + 2 * at(y, x) + at(y, x + 1);
                let (gx, gy) = (column(x + 1) - column(x - 1), row(y + 1) - row(y - 1));
                (gx.abs() + gy.abs()).min(255) as u8
            };
            (0..h * w).map(|i| each(i / w, i % w)).collect()
        },
    );
}
