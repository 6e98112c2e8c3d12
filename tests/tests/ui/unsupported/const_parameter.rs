//! A function with a const parameter.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn moved<const N: u32>(x: EF32) -> EF32 {
        x + N as f32
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| moved::<3>(x)).push())
    }
}

fn main() {}

// Write `moved(n: u32, x: EF32)` in place of `moved<const N: u32>(x: EF32)`.
// Write `(n as f32)` in place of `N as f32`.
// Write `moved(3, x)` in place of `moved::<3>(x)`.
