//! A stored array is read, and `compute` has no `?`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn turned(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let stored = compute(arr);
        pure(generate(64, |i| stored[63 - i]).push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    }
}

fn main() {}
