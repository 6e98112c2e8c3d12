//! A loop of the host that writes to the kernel, without an end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn stirred(x: EU32) -> EU32 {
        let (mut y, mut i) = (x, 0u32);
        while i < 4_000_000_000 {
            y = y * 3 + i;
            i += 1;
        }
        y
    }

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| stirred(x)).push())
    }
}

fn main() {}
