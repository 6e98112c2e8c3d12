//! An assertion in a function of elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| {
            assert!(x >= 0.0);
            x.sqrt()
        }).push())
    }
}

fn main() {}

// Write `fn root(x: EF32) -> Program<Thread, EF32> { assert!(x >= 0.0)?; pure(x.sqrt()) } #[kernel]` in place of `#[kernel]`.
// Write `chunk.as_block_map(|x| exec_thread_value(root(x)))` in place of `chunk.map(|x| { assert!(x >= 0.0); x.sqrt() }).push()`.
