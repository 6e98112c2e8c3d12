//! The work of a block is given to one thread.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| part.split_up(4).as_thread_map(|four| four.push::<Block>())))
    }
}

fn main() {}
