//! How often a block waits depends on the thread.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn counted(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        let n = m.read(0)?;
        seq_for(n, |_| sync::<Block>())?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    }
}

fn main() {}
