//! The condition of a loop of the block is read by each thread on its own.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn repeated(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        seq_while::<Block>(m.read(0).map(|x| x > 0), for_all(64, |i| m.write(i, lit(0_u32))))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(repeated(chunk)))
    }
}

fn main() {}
