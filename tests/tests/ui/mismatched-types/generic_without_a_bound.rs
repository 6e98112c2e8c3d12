//! A function of any type adds.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn twice<T>(x: T) -> T {
        x + x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| twice(x)).push())
    }
}

fn main() {}

// Write `twice<T: Number>(x: Exp<T>) -> Exp<T>` in place of `twice<T>(x: T) -> T`.
