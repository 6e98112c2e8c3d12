//! Two neighbours write one element.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn step(chunk: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let kept = new_shared_mutable(64, lit(0_f32))?;
        for_all(64, |i| kept.write(i / 2, chunk[i]))?;
        pure(kept.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(step(chunk)))
    }
}

fn main() {}
