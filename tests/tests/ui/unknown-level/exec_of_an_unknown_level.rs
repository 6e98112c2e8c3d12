//! `exec` of a program whose level nothing says.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).as_block_map(|part| exec(pure(part.push()))))
    }
}

fn main() {}

// Write `exec_thread(pure(part.push()))` in place of `exec(pure(part.push()))`.
