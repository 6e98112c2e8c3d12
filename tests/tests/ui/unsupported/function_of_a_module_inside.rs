//! A function of a module in the module.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    mod inner {
        pub fn same(x: EF32) -> EF32 {
            x
        }
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| inner::same(x)).push())
    }
}

fn main() {}

// Write `fn same(x: EF32) -> EF32 { x }` in place of `mod inner { pub fn same(x: EF32) -> EF32 { x } }`.
// Write `same` in place of `inner::same`.
