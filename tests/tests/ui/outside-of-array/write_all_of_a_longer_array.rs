//! More elements are written than a mutable array has.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn counted(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let counts = to_mutable(chunk.take(32))?;
        counts.write_all(chunk)?;
        pure(counts.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    }
}

fn main() {}
