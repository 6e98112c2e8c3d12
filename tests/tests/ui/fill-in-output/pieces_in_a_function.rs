//! One function cuts and fills, another one stores: both places are named.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn pieces(x: DPull<EU32>) -> DPull<Pull<EU32>> {
        x.chunks(256, 0)
    }

    #[kernel]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        pieces(x).as_grid_map(|piece| {
            piece.split_up(4).as_block_map(|own| own.map(|x| x + 1).push::<Thread>())
        })
    }
}

fn main() {}
