//! A `Result` of Rust.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn checked(x: EF32) -> Result<EF32, u32> {
        Ok(x)
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| checked(x).unwrap()).push())
    }
}

fn main() {}

// Write `EF32` in place of `Result<EF32, u32>`.
// Write `x` in place of `Ok(x)`.
// Write `checked(x)` in place of `checked(x).unwrap()`.
