//! A function of the module is given too few arguments.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(a: EF32, b: EF32) -> EF32 {
        a + b
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| sum(x)).push())
    }
}

fn main() {}

// Write `sum(x, x)` in place of `sum(x)`.
