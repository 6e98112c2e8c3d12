//! Shared memory whose size is known only at launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn counted(n: EU32, chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let counts = new_shared_mutable(n, lit(0_i32))?;
        pure(counts.push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| {
            exec_block(counted(input.len(), chunk))
        })
    }
}

fn main() {}
