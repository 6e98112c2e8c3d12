//! A function gives a number of another type than it declares.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn whole(x: EF32) -> EU32 {
        x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + (whole(x) as EF32)).push())
    }
}

fn main() {}

// Write `x as EU32 }` in place of `x }`.
