//! A box of three by three pixels with the nearest pixel beyond the border, element after element.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    #[kernel]
    pub fn run(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        let b = clamped(1, m);
        generate((h, w), |(y, x)| {
            let mut sum = m.at(((y + 1).min(h - 1), x));
            for k in 0..9u32 {
                sum += b.at((y + k / 3, x + k % 3));
            }
            sum
        })
        .flat()
        .chunks(256, lit(0u32))
        .as_grid_map(|p| p.push())
        .take(x.len())
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
            let (h, w) = (*h as i64, *w as i64);
            picture(h as usize, w as usize, |at, y, x| {
                let near = |y: i64, x: i64| at(y.clamp(0, h - 1), x.clamp(0, w - 1));
                let all = (0..9).map(|k| near(y + k / 3 - 1, x + k % 3 - 1));
                near(y + 1, x) + all.sum::<u32>()
            })
        },
    );
}
