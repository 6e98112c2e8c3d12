//! The sum of no elements, without a start.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| exec_thread_value(seq_reduce(|x, y| x + y, part.take(0)))))
    }
}

fn main() {}

// Write `if part.take(0).len() == 0 { exec_thread_value(pure(lit(0))) } else { exec_thread_value(seq_reduce(|x, y| x + y, part.take(0))) }` in place of `exec_thread_value(seq_reduce(|x, y| x + y, part.take(0)))`.
