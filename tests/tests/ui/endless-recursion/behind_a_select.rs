//! A recursion under a `select`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn doubled(n: EU32, x: EF32) -> EF32 {
        select(n == 0, x, doubled(n - 1, x * 2.0))
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| doubled(lit(3), x)).push())
    }
}

fn main() {}

// Write `n: u32` in place of `n: EU32`.
// Write `if n == 0 { x } else { doubled(n - 1, x * 2.0) }` in place of `select(n == 0, x, doubled(n - 1, x * 2.0))`.
// Write `3` in place of `lit(3)`.
