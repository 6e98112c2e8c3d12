//! A picture whose pixels are loops, as a two-dimensional array of programs.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(height: EU32, width: EU32) -> DPush<Grid, EU32> {
        let march = |y: EU32, x: EU32| seq_until(|d| d * 2 + 1, |d| d < x + y, lit(0u32));
        generate((height, width), |(y, x)| (y, x))
            .cover(16, 16)
            .as_grid_map(|tile| {
                tile.as_block_map(|(y, x)| exec_thread_value(march(y, x)).as_2d(1, 1))
            })
            .crop(height, width)
            .flat()
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| m::run::launch(device, *h as u32, *w as u32),
        |(h, w): &(usize, usize)| {
            let march = |limit: u32| {
                let mut d = 0;
                while d < limit {
                    d = d * 2 + 1;
                }
                d
            };
            (0..h * w).map(|i| march((i / w + i % w) as u32)).collect()
        },
    );
}
