//! `cover` is a method of matrices.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(x: DPull<EF32>, d: EU32, h: EU32, w: EU32) -> DPush<Grid, EF32> {
        let array = x.as_3d(d, h, w);
        array.cover(8, 8).as_grid_map(|tile| tile.push()).crop(h, w).flat()
    }
}

fn main() {}

// Write `array.planes().as_grid_map(|plane| plane.cover(8, 8).as_block_map(|tile| tile.push::<Thread>()).crop(plane.height(), plane.width()).flat())` in place of `array.cover(8, 8).as_grid_map(|tile| tile.push()).crop(h, w).flat()`.
