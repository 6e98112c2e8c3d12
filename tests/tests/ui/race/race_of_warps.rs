//! Two warps write one array of the block.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub fn by_warps(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = new_shared_mutable(33, lit(0_u32))?;
        distr_par(2, |w| for_all(32, |i| m.write(i + w, a[w * 32 + i])))?;
        pure(m.push())
    }

    #[kernel(threads = 64)]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| exec_block(by_warps(chunk)))
    }
}

fn main() {}
