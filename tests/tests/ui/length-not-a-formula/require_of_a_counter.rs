//! A precondition on what only the kernel knows.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| {
            piece
                .map(|element| {
                    require(element.at_least(1));
                    element
                })
                .push()
        })
    }
}

fn main() {}

// Write `require(x.len().at_least(1)); x.split_up(64)` in place of `x.split_up(64)`.
// Write `element` in place of `require(element.at_least(1)); element`.
