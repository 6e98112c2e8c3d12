//! `while` on what only the device knows.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn halved(x: EI32) -> EI32 {
        let mut y = x;
        while y > 10 {
            y = y / 2;
        }
        y
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.map(|x| halved(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
