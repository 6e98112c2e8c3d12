//! A function of numbers of the host is given one of the device.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn twice<T: Number>(x: T) -> T {
        x + x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| twice(x)).push())
    }
}

fn main() {}

// Write `(x: Exp<T>) -> Exp<T>` in place of `(x: T) -> T`.
