//! What is dropped of an array of a static length is known only at launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EF32>, n: EU32) -> DPush<Grid, EF32> {
        x.split_up(64).as_grid_map(|piece| piece.drop(n.min(32)).push())
    }
}

fn main() {}

// Write `piece.to_dyn().drop(n.min(32))` in place of `piece.drop(n.min(32))`.
