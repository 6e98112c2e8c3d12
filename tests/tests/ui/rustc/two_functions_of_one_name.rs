//! Two functions have one name.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn same(x: EF32) -> EF32 {
        x
    }

    fn same(x: EF32) -> EF32 {
        x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(same).push())
    }
}

fn main() {}
