//! A push array of 64 elements that writes none is stored.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn stored(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let kept = compute(mk_push::<Block, EI32, _>(64, |write| pure(())))?;
        pure(zip_with(|x, y| x + y, kept, arr).push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))
    }
}

fn main() {}
