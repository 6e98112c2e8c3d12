//! The halves of a piece that may be the last one, and then of any length.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn sum(arr: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
        pure(singleton(arr).as_block_map(|arr| {
            exec_thread_value(seq_iterate(arr.len(), |i, x| x + arr[i], lit(0u32)))
        }))
    }

    #[kernel]
    pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks_len(64).as_grid_map(|piece| {
            let (a, b) = piece.halve();
            exec_block(sum(zip_with(|a, b| a * b, a, b)))
        })
    }
}

fn main() {}

// Write `let n = a.len().min(b.len()); exec_block(sum(zip_with(|a, b| a * b, a.take(n), b.take(n))))` in place of `exec_block(sum(zip_with(|a, b| a * b, a, b)))`.
