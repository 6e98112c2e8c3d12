//! A loop over integers that starts with a float.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| {
            chunk
                .split_up(8)
                .as_block_map(|part| exec_thread_value(seq_iterate(8, |i, sum| sum + part[i], 0.0)))
        })
    }
}

fn main() {}
