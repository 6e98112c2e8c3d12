//! A function of a text.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn shifted(by: &str, x: EF32) -> EF32 {
        if by == "a" { x } else { x + 1.0 }
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| shifted("a", x)).push())
    }
}

fn main() {}
