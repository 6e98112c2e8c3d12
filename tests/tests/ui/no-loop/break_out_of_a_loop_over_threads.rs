//! A break leaves a loop of one thread, not a loop over threads.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn some(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(a)?;
        seq_for::<Block>(4, |_| for_all(64, |i| cond(a[i] == 0, break_loop(), m.write(i, lit(0_u32)))))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(some(chunk)))
    }
}

fn main() {}
