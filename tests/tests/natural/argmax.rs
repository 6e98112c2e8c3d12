//! The largest of each 256 elements and where it is.

use crate::prelude::*;

#[kernels]
pub mod m {
    pub fn best(a: Pull<(EF32, EU32)>) -> Program<Block, Push<Block, (EF32, EU32)>> {
        let mut a = a;
        while a.len() > 1 {
            let (x, y) = a.halve();
            a = compute(zip_with(
                |(x, i), (y, j)| select(y > x, (y, j), (x, i)),
                x,
                y,
            ))?;
        }
        pure(a.push())
    }
    #[kernel(threads = 128)]
    pub fn run(x: DPull<EF32>) -> DPush<Grid, (EF32, EU32)> {
        zip(x, iota(x.len()))
            .chunks(256, (f32::MIN, 0))
            .as_grid_map(|c| exec_block(best(c)))
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(samples::<f32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<f32>| {
            let best = |(block, c): (usize, &[f32])| {
                // A tree prefers the first of equal elements only where they meet in order; all differ here.
                let numbered = c.iter().copied().zip(block as u32 * 256..);
                numbered
                    .reduce(|x, y| if y.0 > x.0 { y } else { x })
                    .unwrap()
            };
            x.chunks(256).enumerate().map(best).unzip()
        },
    );
}
