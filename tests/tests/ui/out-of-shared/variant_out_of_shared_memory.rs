//! Each variant has to fit into a block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn twice(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let chunk = compute(chunk.reverse())?;
        pure(chunk.reverse().push())
    }

    #[kernel(n = [1024, 16384])]
    pub fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(n).as_grid_map(|chunk| exec_block(twice(chunk)))
    }
}

fn main() {}
