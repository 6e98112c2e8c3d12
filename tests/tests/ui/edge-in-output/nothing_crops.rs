//! The rows and columns that the last tiles repeat become part of the output.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>, width: EU32) -> DPush<Grid, EF32> {
        let m = x.in_rows(width);
        m.cover(8, 32).as_grid_map(|tile| tile.map(|x| 2.0 * x).push()).flat()
    }
}

fn main() {}

// Write `2.0 * x).push()).crop(m.height(), m.width()).flat()` in place of `2.0 * x).push()).flat()`.
