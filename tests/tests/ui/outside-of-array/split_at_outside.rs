//! An array is split behind its end.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            let (a, b) = chunk.split_at(100);
            append(b, a).push()
        })
    }
}

fn main() {}
