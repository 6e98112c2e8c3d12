//! A function of a device value is given a variable of the host.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn scaled(k: EF32, x: EF32) -> EF32 {
        k * x
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let k = 2.0_f32;
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| scaled(k, x)).push())
    }
}

fn main() {}

// Write `scaled(lit(k), x))` in place of `scaled(k, x))`.
