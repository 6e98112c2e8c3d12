//! `loop` without an end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn count(x: EI32) -> EI32 {
        loop {}
        x
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| count(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
