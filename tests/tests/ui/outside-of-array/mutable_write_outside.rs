//! An element behind the end of a mutable array.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn counted(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let counts = to_mutable(chunk)?;
        single_thread(counts.write(64, lit(1_i32)))?;
        pure(counts.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    }
}

fn main() {}
