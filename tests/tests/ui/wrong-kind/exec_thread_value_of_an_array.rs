//! A program whose result is an array is executed as one value.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| exec_thread_value(compute(part))))
    }
}

fn main() {}
