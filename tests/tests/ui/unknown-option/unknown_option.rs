//! `#[kernel(..)]` knows `threads`, `tuned` and the parameters of the host.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threds = 64, n = 8)]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}

// Write `threads` in place of `threds`.
