//! A loop of the host, twenty thousand times.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn stirred(x: EU32) -> EU32 {
        let mut y = x;
        for i in 0..20_000u32 {
            y = y * 3 + i;
        }
        y
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| stirred(x)).push())
    }
}

fn main() {}
