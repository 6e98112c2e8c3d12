//! Tiles of an array of pairs, swapped.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        let m = x.in_rows(width);
        m.cover(8, 32)
            .as_grid_map(|tile| tile.map(|(a, b)| (b, a)).push::<Block>())
            .crop(m.height(), width)
            .flat()
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| {
            let (x, y) = (
                samples::<u32>(h * w),
                samples::<u32>(h * w + 1)[1..].to_vec(),
            );
            m::run::launch(
                device,
                *w as u32,
                (&device.upload(&x)?, &device.upload(&y)?),
            )
        },
        |(h, w): &(usize, usize)| {
            (
                samples::<u32>(h * w + 1)[1..].to_vec(),
                samples::<u32>(h * w),
            )
        },
    );
}
