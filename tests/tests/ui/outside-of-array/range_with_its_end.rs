//! A range of the host that includes its end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| {
            let mut sum = lit(0_f32);
            for i in 0..=64 {
                sum = sum + chunk[i];
            }
            chunk.map(|x| x + sum).push()
        })
    }
}

fn main() {}

// Write `0..64` in place of `0..=64`.
