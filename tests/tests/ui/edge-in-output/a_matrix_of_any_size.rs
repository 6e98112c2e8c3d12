//! A function covers, another one stores: both places are named.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn tiles(m: DPull2<EU32>) -> DPull2<Pull2<EU32>> {
        m.cover(16, 16)
    }

    #[kernel]
    pub fn k(x: DPull<EU32>, height: EU32, width: EU32) -> DPush<Grid, EU32> {
        tiles(x.as_2d(height, width)).as_grid_map(|tile| tile.push()).flat()
    }
}

fn main() {}
