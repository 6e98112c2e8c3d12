//! More shared memory than a block has.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn twice(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let first = compute(arr.map(|x| x + 1))?;
        let second = compute(first.reverse())?;
        pure(zip_with(|x, y| x * y, first, second).reverse().push())
    }

    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(8192).as_grid_map(|chunk| exec_block(twice(chunk)))
    }
}

fn main() {}

// Write `split_up(4096)` in place of `split_up(8192)`.
