//! Pieces of two inputs, each as long as what is left of its own input.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(arr: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
        pure(singleton(arr).as_block_map(|arr| exec_thread_value(seq_reduce(|x, y| x + y, arr))))
    }

    #[kernel]
    pub fn k(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(x.chunks_len(64), y.chunks_len(64))
            .as_grid_map(|(a, b)| exec_block(sum(zip_with(|a, b| a * b, a, b))))
    }
}

fn main() {}
