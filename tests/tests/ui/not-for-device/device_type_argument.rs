//! A device function is called with a type argument.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    fn twice(x: u32) -> u32 {
        2 * x
    }

    #[device]
    fn four_times(x: u32) -> u32 {
        twice(twice::<u32>(x))
    }

    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| piece.map(|x| four_times(x)).push())
    }
}

fn main() {}

// Write `twice(x)` in place of `twice::<u32>(x)`.
