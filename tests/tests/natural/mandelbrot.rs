//! Steps until each point of a plane escapes.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, height: EU32) -> DPush<Grid, EU32> {
        let steps = |i: EU32| {
            let cx = (i % width) as f32 / width as f32 * 3.0 - 2.0;
            let cy = (i / width) as f32 / height as f32 * 2.0 - 1.0;
            let (_, _, n) = seq_until(
                |(x, y, n)| (x * x - y * y + cx, x * y * 2.0 + cy, n + 1),
                |(x, y, n)| (x * x + y * y < 4.0) & (n < 100),
                (lit(0f32), lit(0f32), lit(0u32)),
            )?;
            pure(n)
        };
        generate(width * height, |i| i)
            .chunks(256, 0)
            .as_grid_map(|c| c.as_block_map(|i| exec_thread_value(steps(i))))
            .take(width * height)
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, *h as u32),
        |(h, w): &(usize, usize)| {
            let steps = |i: usize| {
                let cx = (i % w) as f32 / *w as f32 * 3.0 - 2.0;
                let cy = (i / w) as f32 / *h as f32 * 2.0 - 1.0;
                let (mut x, mut y, mut n) = (0f32, 0f32, 0);
                while x * x + y * y < 4.0 && n < 100 {
                    (x, y, n) = (x * x - y * y + cx, x * y * 2.0 + cy, n + 1);
                }
                n
            };
            (0..h * w).map(steps).collect()
        },
    );
}
