//! An element is shown in a function of elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| {
            show!(x)?;
            x
        }).push())
    }
}

fn main() {}

// Write `fn step(x: EF32) -> Program<Thread, EF32> { show!(x)?; pure(x) } #[kernel]` in place of `#[kernel]`.
// Write `chunk.as_block_map(|x| exec_thread_value(step(x)))` in place of `chunk.map(|x| { show!(x)?; x }).push()`.
