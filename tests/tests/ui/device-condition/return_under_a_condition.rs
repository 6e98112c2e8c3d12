//! A function returns early where a value of the device is below 0.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn root(x: EF32) -> EF32 {
        if x < 0.0 {
            return lit(0.0);
        }
        x.sqrt()
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| root(x)).push())
    }
}

fn main() {}

// Write `select(x < 0.0, 0.0, x.sqrt())` in place of `if x < 0.0 { return lit(0.0); } x.sqrt()`.
