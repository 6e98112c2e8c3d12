//! Shared memory is a limit, not a choice among variants.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(shared_bytes = [49152, 65536])]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {}
