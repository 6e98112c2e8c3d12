//! What all threads store together stands under a condition.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn some(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        let x = m.read(0)?;
        cond(x > 0, compute(a).void(), pure(()))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(some(chunk)))
    }
}

fn main() {}
